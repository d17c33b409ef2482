package io.reactiveinformer.spring;

import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.metrics.InformerMetrics;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.recorder.RecorderOptions;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

import static io.reactiveinformer.spring.OperatorBeansTest.PATIENCE;
import static io.reactiveinformer.spring.OperatorBeansTest.await;
import static io.reactiveinformer.spring.OperatorBeansTest.health;
import static org.assertj.core.api.Assertions.assertThat;

/** Recorders of Events that are beans are metered, shown, and write what waits when the application stops. */
@Timeout(120)
class RecorderBeansTest {

    private static final V1ConfigMap NOTE = new V1ConfigMap().apiVersion("v1").kind("ConfigMap")
            .metadata(new V1ObjectMeta().namespace("shop").name("a").uid("1"));

    private final FakeApiServer server = FakeApiServer.create().start();
    private ApplicationContextRunner application = new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(
            ReactiveInformerAutoConfiguration.class, InformersHealthAutoConfiguration.class, InformersEndpointAutoConfiguration.class,
            InformerMetricsAutoConfiguration.class));

    @BeforeEach
    void use() {
        application = application
                .withPropertyValues("reactive-informer.url=" + server.url(), "management.endpoints.web.exposure.include=informers")
                .withBean(MeterRegistry.class, SimpleMeterRegistry::new);
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
    }

    @AfterEach
    void close() {
        server.close();
    }

    @Configuration(proxyBeanMethods = false)
    static class WithRecorder {

        @Bean
        EventRecorder events(KubernetesClient client) {
            return EventRecorder.of(client, "example.com/notes");
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class WithObservedRecorder {

        @Bean
        EventRecorder events(KubernetesClient client, InformerMetrics metrics) {
            return EventRecorder.of(client, RecorderOptions.of("example.com/notes").withObserver(metrics.operators().events("mine")));
        }
    }

    /** Records as a request does that Boot's web server still answers while the application stops. */
    @Configuration(proxyBeanMethods = false)
    static class WithLateRequest extends WithRecorder {

        @Bean
        SmartLifecycle server(EventRecorder events) {
            return new SmartLifecycle() {
                private boolean running;

                @Override
                public void start() {
                    running = true;
                }

                @Override
                public void stop() {
                    running = false;
                    events.normal(NOTE, "Mirrored", "Mirror", "copied");
                }

                @Override
                public boolean isRunning() {
                    return running;
                }

                @Override
                public int getPhase() {
                    return DEFAULT_PHASE - 2_048;
                }
            };
        }
    }

    private List<?> written() {
        return server.objects().list(ResourceType.of(EventsV1Event.class));
    }

    @Test
    void isMeteredAndShown() {
        application.withUserConfiguration(WithRecorder.class).run(context -> {
            EventRecorder events = context.getBean(EventRecorder.class);
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            events.normal(NOTE, "Mirrored", "Mirror", "copied");
            await(() -> meters.get("events.written").tag("reporter", "events").counter().count() == 1);
            assertThat(health(context).getDetails()).containsEntry("recorder events",
                    Map.of("reporter", "example.com/notes", "written", 1L, "dropped", 0L));
            server.faults().on("create", "events").always().status(403, "Forbidden", "not for you");
            events.warning(NOTE, "Failed", "Mirror", "no");
            await(() -> health(context).getDetails().get("recorder events").toString()
                    .matches(".*written=1, dropped=1, lastDrop=Failed as REFUSED: .*not for you.*"));
            assertThat(health(context).getStatus()).isEqualTo(Status.UP);
            await(() -> meters.get("events.dropped").tag("reporter", "events").tag("why", "refused").counter().count() == 1);
            assertThat(context.getBean(InformersEndpoint.class).informers().block(PATIENCE).recorders())
                    .containsOnlyKeys("events").hasEntrySatisfying("events", shown -> {
                        assertThat(shown.reporter()).isEqualTo("example.com/notes");
                        assertThat(shown.written()).isEqualTo(1);
                        assertThat(shown.dropped()).isEqualTo(1);
                        assertThat(shown.lastDrop()).startsWith("Failed as REFUSED: ").contains("not for you");
                    });
        });
    }

    @Test
    void anObserverOfTheApplicationIsNotReplaced() {
        application.withUserConfiguration(WithObservedRecorder.class).run(context -> {
            context.getBean(EventRecorder.class).normal(NOTE, "Mirrored", "Mirror", "copied");
            MeterRegistry meters = context.getBean(MeterRegistry.class);
            await(() -> meters.get("events.written").tag("reporter", "mine").counter().count() == 1);
            assertThat(meters.find("events.written").counters()).hasSize(1);
        });
    }

    @Test
    void writesWhatWaitsWhenTheApplicationStops() {
        server.faults().on("create", "events").times(1).delay(Duration.ofMillis(500));
        var meters = new AtomicReference<MeterRegistry>();
        application.withUserConfiguration(WithRecorder.class).run(context -> {
            meters.set(context.getBean(MeterRegistry.class));
            context.getBean(EventRecorder.class).normal(NOTE, "Mirrored", "Mirror", "copied");
        });
        assertThat(written()).hasSize(1);
        assertThat(meters.get().get("events.written").counter().count()).isEqualTo(1);
    }

    @Test
    void writesWhatIsRecordedWhileTheWebServerStops() {
        application.withUserConfiguration(WithLateRequest.class).run(context -> assertThat(context).hasNotFailed());
        assertThat(written()).hasSize(1);
    }
}
