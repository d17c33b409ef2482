package io.reactiveinformer.spring;

import io.reactiveinformer.informer.InformerFactory;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;

/** The actuator endpoint {@code informers}, if it is exposed. */
@AutoConfiguration(after = ReactiveInformerAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@ConditionalOnBean(InformerFactory.class)
@ConditionalOnAvailableEndpoint(InformersEndpoint.class)
final class InformersEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    InformersEndpoint informersEndpoint(
            ObjectProvider<InformerFactory> informers, ObjectProvider<DeclaredInformers> declared, ListableBeanFactory beans) {
        return new InformersEndpoint(new Factories(informers, declared), new Operators(beans));
    }
}
