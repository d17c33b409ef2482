package io.reactiveinformer.spring;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Starts and stops informers with the application. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(ReactiveInformerProperties.class)
class LifecycleConfiguration {

    @Bean
    @ConditionalOnMissingBean
    InformerLifecycle informerLifecycle(ConfigurableListableBeanFactory beans, ReactiveInformerProperties properties) {
        return new InformerLifecycle(Factories.of(beans), properties, new InformerBeans(beans, properties));
    }

    @Bean
    EndOfSubscriptions endOfSubscriptions(InformerLifecycle informers) {
        return new EndOfSubscriptions(informers);
    }
}
