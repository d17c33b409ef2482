package io.reactiveinformer.cloud;

import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.cloud.loadbalancer.support.LoadBalancerEnvironmentPropertyUtils;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * The beans of the context that Spring Cloud makes for each balanced service: the supplier of its instances where Spring's default is
 * configured, and where health checks are, which otherwise keep the first list. The other configurations of Spring read the discovery
 * client at each call.
 */
@Configuration(proxyBeanMethods = false)
class LoadBalancerConfiguration {

    @Bean
    @ConditionalOnMissingBean(ServiceInstanceListSupplier.class)
    @Conditional(ByDefault.class)
    ServiceInstanceListSupplier endpointSliceInstanceListSupplier(ServiceCatalogue catalogue, ConfigurableApplicationContext context) {
        return supplier(catalogue, context);
    }

    @Bean
    @ConditionalOnMissingBean(ServiceInstanceListSupplier.class)
    @ConditionalOnBean(type = "org.springframework.web.reactive.function.client.WebClient$Builder")
    @Conditional(WithHealthChecks.class)
    ServiceInstanceListSupplier healthCheckInstanceListSupplier(ServiceCatalogue catalogue, ConfigurableApplicationContext context) {
        return ServiceInstanceListSupplier.builder().withBase(supplier(catalogue, context)).withHealthChecks().build(context);
    }

    private static ServiceInstanceListSupplier supplier(ServiceCatalogue catalogue, ConfigurableApplicationContext context) {
        return new EndpointSliceInstanceListSupplier(
                catalogue, ServiceInstanceListSupplier.builder().withDiscoveryClient().withCaching().build(context));
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
