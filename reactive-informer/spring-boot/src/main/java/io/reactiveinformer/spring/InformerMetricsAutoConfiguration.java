package io.reactiveinformer.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.reactiveinformer.client.RequestObserver;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.internal.informer.Instrumented;
import io.reactiveinformer.metrics.InformerMetrics;
import io.reactiveinformer.processor.RowProcessor;
import io.reactiveinformer.recorder.EventRecorder;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.SmartInitializingSingleton;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import reactor.core.Disposable;
import reactor.core.Disposables;

/** Meters of client and informers, if there is a {@link MeterRegistry} bean. */
@AutoConfiguration(
        before = ReactiveInformerAutoConfiguration.class,
        afterName = {
            "org.springframework.boot.micrometer.metrics.autoconfigure.MetricsAutoConfiguration",
            "org.springframework.boot.micrometer.metrics.autoconfigure.CompositeMeterRegistryAutoConfiguration"
        })
@ConditionalOnClass({MeterRegistry.class, InformerMetrics.class})
@ConditionalOnBean(MeterRegistry.class)
@Conditional(InformerMetricsAutoConfiguration.InformersWanted.class)
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
    BeanMeters informerBeanMeters(InformerMetrics metrics, ListableBeanFactory beans, ObjectProvider<RowProcessor<?>> processors) {
        return new BeanMeters(metrics, InformerFactories.of(beans), processors);
    }

    @Bean
    InformerFactories.Metering informerMetering(InformerMetrics metrics) {
        return metrics::metered;
    }

    /** In an application that has {@code reactive-informer-operator}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Controller.class)
    static class OfOperators {

        @Bean
        @ConditionalOnMissingBean
        OperatorMeters informerOperatorMeters(InformerMetrics metrics, ListableBeanFactory beans) {
            return new OperatorMeters(metrics.operators(), new OperatorBeans(beans));
        }
    }

    /** Meters of processors, and of informers that are of no factory among the beans; {@link InformerFactories.Metering} binds those of a factory. */
    static final class BeanMeters implements SmartInitializingSingleton, DisposableBean {

        private final InformerMetrics metrics;
        private final InformerFactories informers;
        private final ObjectProvider<RowProcessor<?>> processors;
        private final Disposable.Composite bound = Disposables.composite();

        BeanMeters(InformerMetrics metrics, InformerFactories informers, ObjectProvider<RowProcessor<?>> processors) {
            this.metrics = metrics;
            this.informers = informers;
            this.processors = processors;
        }

        @Override
        public void afterSingletonsInstantiated() {
            informers.single().forEach(informer -> bound.add(metrics.bind(informer)));
            processors.forEach(metrics::bind);
        }

        @Override
        public void destroy() {
            bound.dispose();
        }
    }

    /**
     * Meters of the controllers among the beans, also those of managers, of the elections, and of the recorders that have no observer. An
     * election's tag {@code lease} and a recorder's tag {@code reporter} are the names of their beans.
     */
    static final class OperatorMeters implements SmartInitializingSingleton, DisposableBean {

        private static final Logger LOG = LoggerFactory.getLogger(OperatorMeters.class);

        private final InformerMetrics.OfOperators metrics;
        private final OperatorBeans operators;
        private final Disposable.Composite bound = Disposables.composite();

        OperatorMeters(InformerMetrics.OfOperators metrics, OperatorBeans operators) {
            this.metrics = metrics;
            this.operators = operators;
        }

        @Override
        public void afterSingletonsInstantiated() {
            operators.forEachController(controller -> bound.add(metrics.bind(controller)));
            operators.recorders().forEach((name, recorder) -> Instrumented.wrap(recorder, EventRecorder.Observer.class,
                    observer -> observer == EventRecorder.Observer.NONE ? metrics.events(name) : observer));
            operators.electors().forEach((name, elector) -> bound.add(elector.leadership()
                    .subscribe(metrics.leadership(name), failure -> LOG.warn("the election {} is measured no more", name, failure))));
        }

        @Override
        public void destroy() {
            bound.dispose();
        }
    }

    /** Informers of a cluster are not disabled, or topics of Kafka are configured. */
    static final class InformersWanted extends AnyNestedCondition {

        InformersWanted() {
            super(ConfigurationPhase.PARSE_CONFIGURATION);
        }

        @ConditionalOnProperty(prefix = ReactiveInformerProperties.PREFIX, name = "enabled", matchIfMissing = true)
        static final class OfCluster {}

        @ConditionalOnProperty(prefix = KafkaProperties.PREFIX, name = "bootstrap-servers")
        static final class OfTopics {}
    }
}
