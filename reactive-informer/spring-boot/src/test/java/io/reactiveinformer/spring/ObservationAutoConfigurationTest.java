package io.reactiveinformer.spring;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationHandler;
import io.micrometer.observation.tck.TestObservationRegistry;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.controller.Controller;
import io.reactiveinformer.controller.ControllerManager;
import io.reactiveinformer.controller.Reconciler;
import io.reactiveinformer.controller.Route;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.metrics.InformerObservations;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

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

    /** A controller of its own, one whose reconciler the application wraps, one that wraps a wrapped one, and one of a manager. */
    @Configuration(proxyBeanMethods = false)
    static class WithControllers {

        private static Controller<ObjectKey> controller(String name, InformerFactory informers, Reconciler<ObjectKey> reconciler) {
            return Controller.named(name)
                    .watches(informers.of(ResourceType.of(V1ConfigMap.class), Namespaces.of("t")), Route.self())
                    .reconcile(reconciler);
        }

        @Bean
        Reconciler<ObjectKey> reader(KubernetesClient client) {
            return request -> client.resources(ResourceType.of(V1ConfigMap.class)).get(request.key()).thenReturn(Result.done());
        }

        @Bean
        Controller<ObjectKey> plain(InformerFactory informers, Reconciler<ObjectKey> reader) {
            return controller("plain", informers, reader);
        }

        @Bean
        Controller<ObjectKey> wrapped(InformerFactory informers, Reconciler<ObjectKey> reader, InformerObservations observations) {
            return controller("wrapped", informers, observations.operators().reconciler(reader));
        }

        @Bean
        Controller<ObjectKey> within(InformerFactory informers, Reconciler<ObjectKey> reader, InformerObservations observations) {
            Reconciler<ObjectKey> observed = observations.operators().reconciler(reader);
            return controller("within", informers, request -> observed.reconcile(request).retry(1));
        }

        @Bean
        ControllerManager manager(InformerFactory informers, Reconciler<ObjectKey> reader) {
            return ControllerManager.create(informers).register("managed", () -> controller("managed", informers, reader));
        }
    }

    @Test
    void observesEachReconcileOfControllersOnce() {
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: t}}");
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: a, namespace: t}}");
        List<Observation.Context> stopped = new CopyOnWriteArrayList<>();
        TestObservationRegistry registry = TestObservationRegistry.create();
        registry.observationConfig().observationHandler(new ObservationHandler<>() {
            @Override
            public boolean supportsContext(Observation.Context context) {
                return true;
            }

            @Override
            public void onStop(Observation.Context context) {
                stopped.add(context);
            }
        });
        application.withBean(TestObservationRegistry.class, () -> registry).withUserConfiguration(WithControllers.class).run(context -> {
            Supplier<List<Observation.Context>> reconciles = () -> stopped.stream()
                    .filter(one -> one.getName().equals("controller.reconcile")).toList();
            OperatorBeansTest.await(() -> reconciles.get().size() >= 4);
            context.close();
            assertThat(reconciles.get()).extracting(one -> one.getLowCardinalityKeyValue("controller").getValue())
                    .containsExactlyInAnyOrder("plain", "wrapped", "within", "managed");
            assertThat(stopped).filteredOn(one -> "get configmaps.v1".equals(one.getContextualName())).hasSize(4)
                    .extracting(one -> one.getParentObservation().getContextView().getName()).containsOnly("controller.reconcile");
        });
    }

    @Test
    void observesNothingWhereThereIsNone() {
        application.run(context -> assertThat(context).hasNotFailed().doesNotHaveBean(InformerObservations.class));
    }
}
