package io.reactiveinformer.spring;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.metrics.InformerObservations;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;

import static org.assertj.core.api.Assertions.assertThat;

@Timeout(60)
class ObservationAutoConfigurationTest {

    private final FakeApiServer server = FakeApiServer.create().start();
    private final List<String> observed = new CopyOnWriteArrayList<>();
    private final ApplicationContextRunner application = new ApplicationContextRunner()
            .withConfiguration(AutoConfigurations.of(ReactiveInformerAutoConfiguration.class, InformerObservationAutoConfiguration.class))
            .withPropertyValues("reactive-informer.url=" + server.url());

    @AfterEach
    void close() {
        server.close();
    }

    private TestObservationRegistry registry() {
        TestObservationRegistry registry = TestObservationRegistry.create();
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }

            @Override
            public void onStop(Observation.Context context) {
                observed.add(context.getContextualName());
            }
        });
        return registry;
    }

    @Test
    void observesRequestsWhereThereIsARegistry() {
        application.withBean(TestObservationRegistry.class, this::registry).run(context -> {
            KubernetesClient client = context.getBean(KubernetesClient.class);
            client.resources(ResourceType.of(V1ConfigMap.class)).get(ObjectKey.of("t", "a"))
                    .onErrorComplete().block(Duration.ofSeconds(30));
            assertThat(observed).containsExactly("get configmaps.v1");
        });
    }

    @Test
    void observesNothingWhereThereIsNone() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(InformerObservations.class));
    }
}
