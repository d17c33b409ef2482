package io.reactiveinformer.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.metrics.InformerMetrics;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;

/** Meters of client and informers, if there is a {@link MeterRegistry} bean. */
@AutoConfiguration(
        before = ReactiveInformerAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, InformerMetrics.class})
@ConditionalOnBean(MeterRegistry.class)
@Conditional(InformersWanted.class)
final class InformerMetricsAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    InformerMetrics informerMetrics(MeterRegistry registry) {
        return InformerMetrics.of(registry);
    }

    @Bean
    RequestObserver kubernetesRequestMeters(InformerMetrics metrics) {
        return metrics.requests();
    }

    @Bean
    @ConditionalOnMissingBean
    BeanMeters informerBeanMeters(InformerMetrics metrics, ListableBeanFactory beans) {
        return new BeanMeters(metrics, Factories.of(beans));
    }

    @Bean
    Metering informerMetering(InformerMetrics metrics) {
        return metrics::metered;
    }

    /** In an application that has {@code reactive-informer-operator}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Controller.class)
    static class OfOperators {

        @Bean
        @ConditionalOnMissingBean
        OperatorMeters informerOperatorMeters(InformerMetrics metrics, ListableBeanFactory beans) {
            return new OperatorMeters(metrics.operators(), new Operators(beans));
        }
    }
}
