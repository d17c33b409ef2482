package io.reactiveinformer.cloud;

import java.util.List;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.cloud.client.ServiceInstance;
import org.springframework.cloud.client.loadbalancer.LoadBalancerProperties.HealthCheck;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerClientFactory;
import org.springframework.cloud.loadbalancer.support.LoadBalancerEnvironmentPropertyUtils;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Fallback;
import org.springframework.context.annotation.Lazy;
import org.springframework.core.type.AnnotatedTypeMetadata;
import reactor.core.publisher.Flux;

/**
 * The beans of the context that Spring Cloud makes for each balanced service: the supplier of its instances where Spring's default is
 * configured, and where health checks are, which otherwise keep the first list. The other configurations of Spring read the discovery
 * client at each call.
 *
 * <p>A supplier of the application comes first. The conditions see only those that are registered before; Spring Cloud registers default
 * configurations in no particular order, so that the beans are fallbacks, too.
 */
@Configuration(proxyBeanMethods = false)
class LoadBalancerConfiguration {

    @Bean
    @Fallback
    @ConditionalOnMissingBean(ServiceInstanceListSupplier.class)
    @Conditional(ByDefault.class)
    ServiceInstanceListSupplier endpointSliceInstanceListSupplier(ServiceCatalogue catalogue, ConfigurableApplicationContext context) {
        ServiceInstanceListSupplier others = others(context);
        return new EndpointSliceInstanceListSupplier(catalogue, others.getServiceId(), Flux.defer(others));
    }

    @Bean
    @Fallback
    @Lazy
    @ConditionalOnMissingBean(ServiceInstanceListSupplier.class)
    @ConditionalOnBean(type = "org.springframework.web.reactive.function.client.WebClient$Builder")
    @Conditional(WithHealthChecks.class)
    ServiceInstanceListSupplier healthCheckInstanceListSupplier(
            ServiceCatalogue catalogue, LoadBalancerClientFactory factory, ConfigurableApplicationContext context) {
        ServiceInstanceListSupplier others = others(context);
        String serviceId = others.getServiceId();
        HealthCheck properties = factory.getProperties(serviceId).getHealthCheck();
        Flux<List<ServiceInstance>> lists = Flux.defer(others);
        if (properties.getRefetchInstances()) { // Spring refetches when a supplier completes; ours does not
            lists = lists.repeatWhen(ends -> ends.delayElements(properties.getRefetchInstancesInterval()));
        }
        ServiceInstanceListSupplier supplier = new EndpointSliceInstanceListSupplier(catalogue, serviceId, lists);
        return ServiceInstanceListSupplier.builder().withBase(supplier).withHealthChecks().build(context);
    }

    /** Makes the supplier that is used, so that its health checks begin at once; another one that is lazy would check for nobody. */
    @Bean
    SmartInitializingSingleton usedInstanceListSupplier(ObjectProvider<ServiceInstanceListSupplier> suppliers) {
        return suppliers::getIfAvailable;
    }

    private static ServiceInstanceListSupplier others(ConfigurableApplicationContext context) {
        return ServiceInstanceListSupplier.builder().withDiscoveryClient().withCaching().build(context);
    }

    static final class ByDefault implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return LoadBalancerEnvironmentPropertyUtils.equalToOrMissingForClientOrDefault(
                    context.getEnvironment(), "configurations", "default");
        }
    }

    static final class WithHealthChecks implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return LoadBalancerEnvironmentPropertyUtils.equalToForClientOrDefault(
                    context.getEnvironment(), "configurations", "health-check");
        }
    }
}
