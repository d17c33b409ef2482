package io.reactiveinformer.spring;

import io.reactiveinformer.controller.Controller;
import java.time.Duration;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;

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

    /** Starts and stops controllers with the application, if it has {@code reactive-informer-operator}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Controller.class)
    static class OfOperators {

        @Bean
        @ConditionalOnMissingBean
        OperatorLifecycle operatorLifecycle(ListableBeanFactory beans, ReactiveInformerProperties properties, Environment environment) {
            Duration ofPhase = Binder.get(environment).bind("spring.lifecycle.timeout-per-shutdown-phase", Duration.class)
                    .orElse(Duration.ofSeconds(30));
            return new OperatorLifecycle(new Operators(beans), properties, ofPhase);
        }

        @Bean
        EndOfRecorders endOfRecorders(ListableBeanFactory beans, ReactiveInformerProperties properties) {
            return new EndOfRecorders(new Operators(beans), properties.grace());
        }
    }
}
