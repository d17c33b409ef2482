package io.reactiveinformer.spring;

import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ControllerManager;
import io.reactiveinformer.leader.LeaderElector;
import io.reactiveinformer.processor.ProcessorStatus;
import io.reactiveinformer.processor.RowProcessor;
import io.reactiveinformer.recorder.EventRecorder;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.health.actuate.endpoint.HealthEndpointGroupsPostProcessor;
import org.springframework.boot.health.autoconfigure.actuate.endpoint.AvailabilityProbesAutoConfiguration;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import reactor.core.publisher.Mono;

/** Health of the informers, also as a part of the readiness probe. */
@AutoConfiguration(after = {ReactiveInformerAutoConfiguration.class, AvailabilityProbesAutoConfiguration.class})
@ConditionalOnClass({ReactiveHealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@Conditional(InformersPresent.class)
@ConditionalOnEnabledHealthIndicator(InformersHealthIndicator.NAME)
final class InformersHealthAutoConfiguration {

    @Bean
    @ConditionalOnMissingBean(name = InformersHealthIndicator.NAME + "HealthIndicator")
    ReactiveHealthIndicator informersHealthIndicator(
            ListableBeanFactory beans, ObjectProvider<Lifecycles.InformerLifecycle> lifecycle,
            ObjectProvider<ReactiveInformerProperties> properties) {
        ReactiveInformerProperties ours = properties.getIfAvailable();
        return new InformersHealthIndicator(InformerFactories.of(beans),
                informer -> lifecycle.stream().flatMap(one -> one.endedHandlers(informer).stream()).toList(),
                ours == null ? null : ours.maxStaleness());
    }

    /** {@code DOWN} while a processor has ended because its view has failed; rows that fail are details. */
    @Bean
    @ConditionalOnBean(RowProcessor.class)
    @ConditionalOnEnabledHealthIndicator("processors")
    @ConditionalOnMissingBean(name = "processorsHealthIndicator")
    ReactiveHealthIndicator processorsHealthIndicator(ObjectProvider<RowProcessor<?>> processors) {
        return () -> Mono.fromSupplier(() -> {
            List<ProcessorStatus> statuses = processors.orderedStream().map(RowProcessor::status).toList();
            Map<String, Object> details = new LinkedHashMap<>();
            statuses.forEach(one -> details.put(one.name(), Map.of("state", one.state(), "behind", one.behind(), "failing", one.failing(),
                    "behindSince", one.behindSince() == null ? "" : one.behindSince(),
                    "failures", one.failures().stream().limit(3).map(row -> row.key() + ": " + row.cause().getMessage()).toList(),
                    "end", one.end() == null ? "" : String.valueOf(one.end().getMessage()))));
            return (statuses.stream().allMatch(one -> one.end() == null) ? Health.up() : Health.down()).withDetails(details).build();
        });
    }

    @Bean
    HealthEndpointGroupsPostProcessor informersInReadiness(Environment environment) {
        return new ReadinessOfInformers(environment);
    }

    /** In an application that has {@code reactive-informer-operator}. */
    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(Controller.class)
    static class OfOperators {

        @Bean
        @Conditional(OperatorsPresent.class)
        @ConditionalOnEnabledHealthIndicator(ControllersHealthIndicator.NAME)
        @ConditionalOnMissingBean(name = ControllersHealthIndicator.NAME + "HealthIndicator")
        ReactiveHealthIndicator controllersHealthIndicator(ListableBeanFactory beans) {
            return new ControllersHealthIndicator(new OperatorBeans(beans));
        }

        /** A controller, a manager of controllers, an election or a recorder is a bean. */
        static final class OperatorsPresent extends AnyNestedCondition {

            OperatorsPresent() {
                super(ConfigurationPhase.REGISTER_BEAN);
            }

            @ConditionalOnBean(Controller.class)
            static final class OfController {}

            @ConditionalOnBean(ControllerManager.class)
            static final class OfManager {}

            @ConditionalOnBean(LeaderElector.class)
            static final class OfElector {}

            @ConditionalOnBean(EventRecorder.class)
            static final class OfRecorder {}
        }
    }
}
