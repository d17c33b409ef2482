package io.reactiveinformer.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.reactiveinformer.processor.ProcessorStatus;
import io.reactiveinformer.processor.RowProcessor;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.TestView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static org.assertj.core.api.Assertions.assertThat;

/** A processor of rows that is a bean. */
@Timeout(60)
class ProcessorBeansTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ReactiveInformerAutoConfiguration.class, InformersHealthAutoConfiguration.class,
                    InformerMetricsAutoConfiguration.class))
            .withPropertyValues("reactive-informer.url=http://127.0.0.1:1")
            .withBean(MeterRegistry.class, SimpleMeterRegistry::new)
            .withUserConfiguration(Rows.class);

    @Configuration(proxyBeanMethods = false)
    static class Rows {

        private final TestView<ObjectKey, String> view = TestView.of(Map.of(ObjectKey.of("shop", "web"), "s1"));
        private final List<String> log = new CopyOnWriteArrayList<>();
        private final Sinks.Empty<Void> slow = Sinks.empty();

        @Bean
        RowProcessor<ObjectKey> table() {
            return RowProcessor.of("table", view).process(row -> {
                log.add("begun " + row.key());
                return (row.key().name().equals("bad") ? Mono.error(new IllegalStateException("no")) : row.key().name().equals("slow")
                        ? slow.asMono() : Mono.empty()).doOnTerminate(() -> log.add("ended " + row.key())); // before the processor learns it
            });
        }
    }

    private static Health health(ReactiveHealthIndicator indicator) {
        return indicator.health().block(PATIENCE);
    }

    @Test
    void startsIsMeasuredAndIsPartOfTheHealth() {
        application.run(context -> {
            Rows rows = context.getBean(Rows.class);
            RowProcessor<?> processor = context.getBean(RowProcessor.class);
            processor.synced().block(PATIENCE);
            assertThat(rows.log).containsExactly("begun shop/web", "ended shop/web");
            var indicator = context.getBean("processorsHealthIndicator", ReactiveHealthIndicator.class);
            assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
            rows.view.put(ObjectKey.of("shop", "bad"), "s1");
            Mono.defer(() -> Mono.justOrEmpty(processor.status().failing() == 1 ? "failing" : null)).repeatWhenEmpty(1000,
                    tries -> tries.delayElements(Duration.ofMillis(10))).block(PATIENCE);
            assertThat(health(indicator).getDetails().toString()).contains("shop/bad: no");
            assertThat(health(indicator).getStatus()).as("others go on").isEqualTo(Status.UP);
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            assertThat(meters.get("processor.failing").tags("processor", "table").gauge().value()).isOne();
            assertThat(meters.get("processor.behind").gauge().value()).isOne();
            assertThat(meters.get("controller.work").tags("controller", "table").timer().count()).isPositive();
            rows.view.giveUp(new TransportException("gone", null));
            Mono.defer(() -> Mono.justOrEmpty(processor.status().end())).repeatWhenEmpty(1000,
                    tries -> tries.delayElements(Duration.ofMillis(10))).block(PATIENCE);
            assertThat(health(indicator).getStatus()).isEqualTo(Status.DOWN);
        });
    }

    @Test
    void theStopWaitsForTheRunningWork() {
        application.run(context -> {
            Rows rows = context.getBean(Rows.class);
            RowProcessor<?> processor = context.getBean(RowProcessor.class);
            rows.view.put(ObjectKey.of("shop", "slow"), "s1");
            Mono.defer(() -> Mono.justOrEmpty(rows.log.contains("begun shop/slow") ? "running" : null)).repeatWhenEmpty(1000,
                    tries -> tries.delayElements(Duration.ofMillis(10))).block(PATIENCE);
            Mono.delay(Duration.ofMillis(200)).subscribe(later -> rows.slow.tryEmitEmpty());
            context.close();
            assertThat(rows.log).last().isEqualTo("ended shop/slow");
            assertThat(processor.status().state()).isEqualTo(ProcessorStatus.State.STOPPED);
        });
    }
}
