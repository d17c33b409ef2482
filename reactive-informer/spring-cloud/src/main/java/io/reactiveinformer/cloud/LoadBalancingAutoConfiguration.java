package io.reactiveinformer.cloud;

import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.cloud.loadbalancer.annotation.LoadBalancerClients;
import org.springframework.cloud.loadbalancer.core.ServiceInstanceListSupplier;
import org.springframework.context.annotation.Bean;

/** Lets Spring Cloud LoadBalancer see each change of the catalogue at once, where an application has it. */
@AutoConfiguration(after = DiscoveryAutoConfiguration.class)
@ConditionalOnClass(ServiceInstanceListSupplier.class)
@ConditionalOnBean(ServiceCatalogue.class)
@LoadBalancerClients(defaultConfiguration = LoadBalancerConfiguration.class)
final class LoadBalancingAutoConfiguration {

    @Bean
    static CurrentCaches currentCaches(ObjectProvider<ServiceCatalogue> catalogue) {
        return new CurrentCaches(catalogue);
    }
}
