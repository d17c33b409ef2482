package io.reactiveinformer.spring;

import io.micrometer.observation.ObservationRegistry;
import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.internal.informer.Instrumented;
import io.reactiveinformer.metrics.InformerObservations;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** Observations of requests, and of the reconciles of the controllers among the beans, if there is an {@link ObservationRegistry} bean. */
@AutoConfiguration(
        before = ReactiveInformerAutoConfiguration.class,
        afterName = "org.springframework.boot.micrometer.observation.autoconfigure.ObservationAutoConfiguration")
@ConditionalOnClass({ObservationRegistry.class, InformerObservations.class})
@ConditionalOnBean(ObservationRegistry.class)
@ConditionalOnProperty(prefix = ReactiveInformerProperties.PREFIX, name = "enabled", matchIfMissing = true)
final class InformerObservationAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean
    InformerObservations informerObservations(ObservationRegistry registry) {
        return InformerObservations.of(registry);
    }

    @Bean
    RequestObserver kubernetesRequestObservations(InformerObservations observations) {
        return observations.requests();
    }

    /** In an application that has {@code reactive-informer-operator}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Controller.class)
    static class OfOperators {

        @Bean
        @ConditionalOnMissingBean
        BeanObservations informerBeanObservations(InformerObservations observations, ListableBeanFactory beans) {
            return new BeanObservations(observations.operators(), new OperatorBeans(beans));
        }
    }

    /** Observes the reconcilers of the controllers among the beans, also of those of managers, unless the application does so itself. */
    static final class BeanObservations implements SmartInitializingSingleton {

        private final InformerObservations.OfOperators observations;
        private final OperatorBeans operators;

        BeanObservations(InformerObservations.OfOperators observations, OperatorBeans operators) {
            this.observations = observations;
            this.operators = operators;
        }

        @Override
        @SuppressWarnings("unchecked") // the keys are those of the controller
        public void afterSingletonsInstantiated() {
            operators.forEachController(controller -> Instrumented.wrap(controller, Reconciler.class, observations::reconciler));
        }
    }
}
