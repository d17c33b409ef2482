package io.reactiveinformer.spring;

import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;

/** Adds indexes and handlers to the informers of a slice, which starts none itself. The whole application does it in its lifecycle. */
@AutoConfiguration(after = ReactiveInformerAutoConfiguration.class)
@ConditionalOnProperty(prefix = ReactiveInformerProperties.PREFIX, name = "enabled", matchIfMissing = true)
@ConditionalOnMissingBean(Lifecycles.InformerLifecycle.class)
@EnableConfigurationProperties(ReactiveInformerProperties.class)
final class InformerBeansAutoConfiguration {

    @Bean
    SmartInitializingSingleton informerBeans(ConfigurableListableBeanFactory beans, ReactiveInformerProperties properties) {
        return new InformerBeans(beans, properties)::connect;
    }
}
