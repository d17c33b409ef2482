package io.reactiveinformer.spring;

import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** The actuator endpoint {@code informers}, if it is exposed. */
@AutoConfiguration(after = ReactiveInformerAutoConfiguration.class)
@ConditionalOnClass(ConditionalOnAvailableEndpoint.class)
@Conditional(InformersPresent.class)
@ConditionalOnAvailableEndpoint(InformersEndpoint.class)
final class InformersEndpointAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    InformersEndpoint informersEndpoint(ListableBeanFactory beans) {
        return new InformersEndpoint(Factories.of(beans), new Operators(beans));
    }
}
