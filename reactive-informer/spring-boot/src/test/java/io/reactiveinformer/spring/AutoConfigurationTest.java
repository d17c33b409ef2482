package io.reactiveinformer.spring;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Pod;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.informer.InformerSpec;
import io.reactiveinformer.informer.NotSyncedException;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.metrics.InformerMetrics;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.UnauthorizedException;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.InformerStatus;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.springframework.beans.factory.FactoryBean;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.info.Info;
import org.springframework.boot.actuate.info.InfoContributor;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.FilteredClassLoader;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.support.AbstractApplicationContext;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Each condition, and what the beans are, in an application that is no web application. */
@Timeout(60)
class AutoConfigurationTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final FakeApiServer server = FakeApiServer.create().start();
    private ApplicationContextRunner application = new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(
            ReactiveInformerAutoConfiguration.class,
            InformerMetricsAutoConfiguration.class,
            InformersHealthAutoConfiguration.class,
            InformersEndpointAutoConfiguration.class,
            InformersInfoAutoConfiguration.class));

    @BeforeEach
    void use() {
        application = application.withPropertyValues("reactive-informer.url=" + server.url());
    }

    @AfterEach
    void close() {
        server.close();
    }

    private void create(String kind, String name) {
        server.objects().create("{apiVersion: v1, kind: " + kind + ", metadata: {name: " + name
                + ", namespace: shop, labels: {app: " + name + "}}"
                + (kind.equals("Pod") ? ", spec: {containers: [{name: main, image: i}]}}" : "}"));
    }

    @Test
    void givesAClientAndAFactory() {
        application.run(context -> assertThat(context).hasSingleBean(KubernetesClient.class)
                .hasSingleBean(InformerFactory.class).hasSingleBean(ClientOptions.class));
    }

    @Test
    void doesNothingWhereItIsDisabled() {
        application.withPropertyValues("reactive-informer.enabled=false").withBean(SimpleMeterRegistry.class).run(context ->
                assertThat(context).doesNotHaveBean(KubernetesClient.class).doesNotHaveBean(InformerMetrics.class)
                        .doesNotHaveBean(ReactiveHealthIndicator.class));
    }

    @Configuration(proxyBeanMethods = false)
    static class Consumers {

        @Bean
        Pods pods(Informer<V1Pod> informer) {
            return new Pods(informer);
        }

        @Bean
        ConfigMaps configMaps(ObjectProvider<Informer<V1ConfigMap>> informer) {
            return new ConfigMaps(informer.getObject());
        }
    }

    record Pods(Informer<V1Pod> informer) {}

    record ConfigMaps(Informer<V1ConfigMap> informer) {}

    @Test
    void injectsWhatIsDeclaredByItsGenericType() {
        create("Pod", "web");
        create("Pod", "db");
        create("ConfigMap", "note");
        application.withUserConfiguration(Consumers.class).withPropertyValues(
                        "reactive-informer.wait-for-sync=30s",
                        "reactive-informer.informers.pods.type=V1Pod",
                        "reactive-informer.informers.pods.namespaces=shop,store",
                        "reactive-informer.informers.pods.labels=app=web",
                        "reactive-informer.informers.notes.type=" + V1ConfigMap.class.getName())
                .run(context -> {
                    Informer<V1Pod> pods = context.getBean(Pods.class).informer();
                    assertThat(pods.lister().keys()).containsExactly(ObjectKey.of("shop", "web"));
                    assertThat(pods.namespaces()).isEqualTo(Namespaces.of(List.of("shop", "store")));
                    assertThat(context.getBean(ConfigMaps.class).informer().lister().count()).isEqualTo(1);
                    assertThat(context).hasBean("podsInformer").hasBean("notesInformer");
                });
    }

    @Test
    void theApplicationsOwnBeansComeFirst() {
        try (KubernetesClient own = KubernetesClient.over(server.transport())) {
            application.withBean(KubernetesClient.class, () -> own).withPropertyValues("reactive-informer.informers.pods.type=V1Pod")
                    .withBean("podsInformer", Informer.class, () -> InformerFactory.create(own).of(ResourceType.of(V1ConfigMap.class)))
                    .run(context -> {
                        assertThat(context.getBean(KubernetesClient.class)).isSameAs(own);
                        assertThat(context.getBean("podsInformer", Informer.class).description()).startsWith("configmaps");
                    });
        }
    }

    @Test
    void namesThePropertyThatIsWrong() {
        application.withPropertyValues("reactive-informer.informers.pods.type=V1Pot")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("reactive-informer.informers.pods.type: there is no class")
                        .hasStackTraceContaining("V1Pot"));
        application.withPropertyValues("reactive-informer.informers.pods.type=V1Pod", "reactive-informer.informers.pods.labels=a=b=c")
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining("reactive-informer.informers.pods.labels: "));
        application.withPropertyValues("reactive-informer.informers.pods.type=V1Pod", "reactive-informer.informers.pods.resync=0s")
                .run(context -> assertThat(context.getStartupFailure()).hasStackTraceContaining("reactive-informer.informers.pods")
                        .hasStackTraceContaining("resync must be longer than zero"));
        application.withPropertyValues("reactive-informer.context=prod")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining("set neither kubeconfig nor context beside it"));
    }

    @Test
    void startsWithStreamingListsOnlyWhereThatIsSaid() {
        for (boolean streaming : new boolean[] {false, true}) {
            server.requests().clear();
            application.withPropertyValues("reactive-informer.wait-for-sync=30s", "reactive-informer.informers.pods.type=V1Pod",
                    "reactive-informer.streaming-lists=" + streaming).run(context -> assertThat(context).hasNotFailed());
            assertThat(server.requests().all()) // the first application's watch may come late
                    .filteredOn(request -> !request.uri().contains("watch=true") || request.uri().contains("sendInitialEvents=true"))
                    .as("streaming " + streaming).first().satisfies(request ->
                            assertThat(request.uri().contains("sendInitialEvents=true")).isEqualTo(streaming));
        }
    }

    @Test
    void whatIsBlankWasNotSaid() {
        application.withPropertyValues("reactive-informer.context=", "reactive-informer.token= ")
                .run(context -> assertThat(context).hasNotFailed());
        application.withPropertyValues("reactive-informer.url=", "reactive-informer.context=prod", "reactive-informer.wait-for-kubeconfig=true")
                .run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void thePropertiesAsTextHaveNoToken() {
        application.withPropertyValues("reactive-informer.token=s3cret")
                .run(context -> assertThat(context.getBean(ReactiveInformerProperties.class).toString())
                        .contains(server.url()).doesNotContain("s3cret"));
    }

    @Test
    void aStartThatWaitsInVainSaysWhatStoodInTheWay() {
        server.faults().onAny().always().refuse();
        application.withPropertyValues("reactive-informer.wait-for-sync=1s", "reactive-informer.informers.pods.type=V1Pod")
                .run(context -> assertThat(context.getStartupFailure())
                        .hasStackTraceContaining(NotSyncedException.class.getName() + ": pods.v1 in all namespaces: not synced after 1s"));
    }

    @Configuration(proxyBeanMethods = false)
    static class Attached {

        static final Index<V1Pod, String> BY_NAME = Index.of("name", pod -> Objects.requireNonNull(pod.getMetadata()).getName());

        @Bean
        Index<V1Pod, String> byName() {
            return BY_NAME;
        }

        @Bean
        RecordingHandler received() {
            return new RecordingHandler();
        }
    }

    static final class RecordingHandler implements ResourceEventHandler<V1Pod> {

        private final CountDownLatch added = new CountDownLatch(1);
        private final CountDownLatch again = new CountDownLatch(1);

        @Override
        public void onAdd(V1Pod object, boolean initial) {
            added.countDown();
        }

        @Override
        public void onUpdate(V1Pod before, V1Pod after) {
            again.countDown();
        }
    }

    @Test
    void attachesIndexesAndHandlersOfTheSameType() {
        create("Pod", "web");
        create("ConfigMap", "note");
        application.withUserConfiguration(Attached.class).withPropertyValues(
                        "reactive-informer.wait-for-sync=30s",
                        "reactive-informer.informers.pods.type=V1Pod",
                        "reactive-informer.informers.pods.resync=50ms",
                        "reactive-informer.informers.notes.type=V1ConfigMap")
                .run(context -> {
                    RecordingHandler received = context.getBean(RecordingHandler.class);
                    assertThat(received.added.await(30, TimeUnit.SECONDS)).isTrue();
                    assertThat(received.again.await(30, TimeUnit.SECONDS)).as("updated again").isTrue();
                    Informer<?> pods = context.getBean("podsInformer", Informer.class);
                    assertThat(pods.subscribers()).singleElement().satisfies(one -> assertThat(one.name()).isEqualTo("received"));
                    Informer<?> notes = context.getBean("notesInformer", Informer.class);
                    assertThat(notes.subscribers()).isEmpty();
                    assertThat(podsNamed(context.getBean("podsInformer", Informer.class))).isEqualTo(1);
                });
    }

    @Test
    void attachesAHandlerOnceToAnInformerThatIsTwoBeans() {
        application.withUserConfiguration(Attached.class).withPropertyValues(
                        "reactive-informer.wait-for-sync=30s",
                        "reactive-informer.informers.pods.type=V1Pod",
                        "reactive-informer.informers.same.type=V1Pod")
                .run(context -> {
                    Informer<?> pods = context.getBean("podsInformer", Informer.class);
                    assertThat(context.getBean("sameInformer")).isSameAs(pods);
                    assertThat(pods.subscribers()).hasSize(1);
                });
    }

    @Test
    void attachesNothingWhereTypesAreNotKnown() {
        application.withBean(HandlerOfAnything.class).withPropertyValues("reactive-informer.wait-for-sync=30s")
                .withBean(UnknownInformer.class)
                .run(context -> assertThat(context.getBean(UnknownInformer.class).informer().subscribers()).isEmpty());
    }

    static final class HandlerOfAnything<T> implements ResourceEventHandler<T> {}

    record UnknownInformer(InformerFactory informers) implements FactoryBean<Informer<?>> {

        Informer<?> informer() {
            return informers.of(ResourceType.dynamic("", "v1", "pods"));
        }

        @Override
        public Informer<?> getObject() {
            return informer();
        }

        @Override
        public Class<?> getObjectType() {
            return Informer.class;
        }
    }

    @Test
    void attachesTooWhereTheApplicationStartsTheFactoryItself() {
        create("Pod", "web");
        application.withUserConfiguration(Attached.class)
                .withPropertyValues("reactive-informer.auto-startup=false", "reactive-informer.informers.pods.type=V1Pod")
                .run(context -> {
                    context.getBean(InformerFactory.class).start();
                    assertThat(context.getBean(RecordingHandler.class).added.await(30, TimeUnit.SECONDS)).isTrue();
                    assertThat(podsNamed(context.getBean("podsInformer", Informer.class))).isEqualTo(1);
                });
    }

    @SuppressWarnings("unchecked")
    private static int podsNamed(Informer<?> pods) {
        return ((Informer<V1Pod>) pods).lister().by(Attached.BY_NAME, "web").count();
    }

    @Test
    void stopsWithTheApplication() {
        var stopped = new Informer<?>[1];
        application.withPropertyValues("reactive-informer.informers.pods.type=V1Pod")
                .run(context -> stopped[0] = context.getBean("podsInformer", Informer.class));
        assertThat(stopped[0].status().blockLast(PATIENCE).state()).isEqualTo(InformerStatus.State.STOPPED);
    }

    /** As Spring's test framework does with contexts that it keeps for the next test class. */
    @Test
    void goesOnInAContextThatWasPaused() {
        application.withPropertyValues("reactive-informer.wait-for-sync=30s", "reactive-informer.informers.notes.type=V1ConfigMap")
                .run(context -> {
                    var pausable = (AbstractApplicationContext) context.getSourceApplicationContext();
                    pausable.pause();
                    pausable.restart();
                    create("ConfigMap", "note");
                    Informer<?> notes = context.getBean("notesInformer", Informer.class);
                    notes.await(ObjectKey.of("shop", "note"), any -> true).block(PATIENCE);
                });
    }

    @Test
    void saysThatItCannotBeStartedAgainAfterAStop() {
        application.withPropertyValues("reactive-informer.informers.notes.type=V1ConfigMap").run(context -> {
            context.stop();
            assertThatThrownBy(context::start).hasStackTraceContaining("informers that were stopped cannot be started again");
        });
    }

    @Test
    void metersWhereThereIsARegistry() {
        application.withBean(SimpleMeterRegistry.class)
                .withPropertyValues("reactive-informer.wait-for-sync=30s", "reactive-informer.informers.pods.type=V1Pod")
                .run(context -> {
                    MeterRegistry registry = context.getBean(MeterRegistry.class);
                    context.getBean(InformerFactory.class).informers() // the watch begins after the list
                            .forEach(informer -> informer.status().filter(status -> status.state() == InformerStatus.State.LIVE)
                                    .blockFirst(PATIENCE));
                    assertThat(registry.get("informer.lists").counter().count()).isEqualTo(1);
                    assertThat(registry.get("kubernetes.client.active").tag("verb", "watch").gauge().value()).isEqualTo(1);
                });
        application.run(context -> assertThat(context).doesNotHaveBean(InformerMetrics.class));
    }

    @Test
    void needsNeitherMicrometerNorActuator() {
        application.withClassLoader(new FilteredClassLoader(MeterRegistry.class, ReactiveHealthIndicator.class,
                ConditionalOnAvailableEndpoint.class, InfoContributor.class))
                .withPropertyValues("reactive-informer.informers.pods.type=V1Pod")
                .run(context -> assertThat(context).hasNotFailed().hasSingleBean(InformerFactory.class).hasBean("podsInformer"));
    }

    private static Health health(ReactiveHealthIndicator indicator) {
        return indicator.health().block(PATIENCE);
    }

    @Test
    void isHealthyOnceSyncedAndStaysSoWhileTheClusterIsAway() {
        server.faults().onAny().always().refuse();
        application.withPropertyValues("reactive-informer.informers.pods.type=V1Pod").run(context -> {
            ReactiveHealthIndicator indicator = context.getBean(ReactiveHealthIndicator.class);
            Health never = health(indicator);
            assertThat(never.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
            assertThat((Map<?, ?>) never.getDetails().get("pods.v1 in all namespaces"))
                    .as("what never synced is not fresh")
                    .satisfies(details -> assertThat((Duration) details.get("staleness")).isPositive());
            server.faults().clear();
            Informer<?> pods = context.getBean("podsInformer", Informer.class);
            pods.synced(PATIENCE).block(PATIENCE);
            pods.status().filter(now -> now.state() == InformerStatus.State.LIVE).blockFirst(PATIENCE);
            assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
            server.close();
            pods.status().filter(now -> now.state() == InformerStatus.State.DISRUPTED).blockFirst(PATIENCE);
            Health away = health(indicator);
            assertThat(away.getStatus()).isEqualTo(Status.UP);
            assertThat(away.getDetails().get("pods.v1 in all namespaces").toString()).contains("DISRUPTED", "cause");
        });
    }

    @Configuration(proxyBeanMethods = false)
    static class Mocked {

        /** As Mockito makes one: what is not stubbed returns null. */
        @Bean
        @SuppressWarnings("unchecked")
        Informer<V1Pod> pods() {
            return (Informer<V1Pod>) Proxy.newProxyInstance(getClass().getClassLoader(), new Class<?>[] {Informer.class},
                    (proxy, method, arguments) -> method.getReturnType() == int.class ? (Object) 1
                            : method.getReturnType() == boolean.class ? (Object) (proxy == arguments[0]) : null);
        }

        @Bean
        Index<V1Pod, String> podsByName() {
            return Index.of("name", pod -> pod.getMetadata().getName());
        }

        @Bean
        ResourceEventHandler<V1Pod> handler() {
            return new ResourceEventHandler<V1Pod>() {};
        }
    }

    @Test
    void aSliceAcceptsAnInformerThatIsAMock() {
        new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(InformerBeansAutoConfiguration.class))
                .withUserConfiguration(Mocked.class).run(context -> assertThat(context).hasNotFailed());
    }

    @Test
    void isOutOfServiceWhileTheObjectsAreOlderThanTheLimit() {
        ApplicationContextRunner limited = application.withPropertyValues("reactive-informer.max-staleness=1ms");
        limited.withPropertyValues("reactive-informer.informers.pods.type=V1Pod").run(context -> {
            ReactiveHealthIndicator indicator = context.getBean(ReactiveHealthIndicator.class);
            Informer<?> pods = context.getBean("podsInformer", Informer.class);
            pods.status().filter(now -> now.state() == InformerStatus.State.LIVE).blockFirst(PATIENCE);
            assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
            server.faults().onAny().always().status(401, "Unauthorized", "Unauthorized");
            server.restart();
            pods.status().filter(now -> now.cause() instanceof UnauthorizedException
                    && now.staleness(Instant.now()).toMillis() > 1).blockFirst(PATIENCE);
            Health refused = health(indicator);
            assertThat(refused.getStatus()).isEqualTo(Status.OUT_OF_SERVICE);
            assertThat(refused.getDetails().get("pods.v1 in all namespaces").toString()).contains("olderThan=PT0.001S", "cause=401");
            server.faults().clear();
            pods.status().filter(now -> now.state() == InformerStatus.State.LIVE).blockFirst(PATIENCE);
            assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
        });
    }

    @Test
    void staysReadyWhileAnInformerThatCameLaterIsNotSynced() {
        create("ConfigMap", "note");
        server.faults().onWatch("pods").always().refuse();
        server.faults().onList("pods").always().refuse();
        application.withPropertyValues("reactive-informer.wait-for-sync=30s", "reactive-informer.informers.notes.type=V1ConfigMap")
                .run(context -> {
                    ReactiveHealthIndicator indicator = context.getBean(ReactiveHealthIndicator.class);
                    assertThat(health(indicator).getStatus()).isEqualTo(Status.UP);
                    context.getBean(InformerFactory.class).lease(InformerSpec.of(ResourceType.of(V1Pod.class)));
                    Health later = health(indicator);
                    assertThat(later.getStatus()).isEqualTo(Status.UP);
                    assertThat(later.getDetails().get("pods.v1 in all namespaces").toString()).contains("synced=false");
                });
    }

    @Test
    void detailsTellInformersOfTheSameObjectsApart() {
        application.run(context -> {
            InformerFactory informers = context.getBean(InformerFactory.class);
            for (int one = 0; one < 3; one++) {
                informers.of(InformerSpec.of(ResourceType.of(V1Pod.class)).withTransform(new Itself()::apply));
            }
            assertThat(health(context.getBean(ReactiveHealthIndicator.class)).getDetails())
                    .containsOnlyKeys("pods.v1 in all namespaces", "pods.v1 in all namespaces #2", "pods.v1 in all namespaces #3");
        });
    }

    private static final class Itself {

        V1Pod apply(V1Pod pod) {
            return pod;
        }
    }

    @Test
    void startsStopsAndTellsOfEachFactoryWhereThereAreSeveral() {
        create("Pod", "web");
        var stopped = new Informer<?>[1];
        try (KubernetesClient east = KubernetesClient.over(server.transport());
                KubernetesClient west = KubernetesClient.over(server.transport())) {
            application.withBean("east", InformerFactory.class, () -> InformerFactory.create(east),
                    definition -> definition.setPrimary(true))
                    .withBean("west", InformerFactory.class, () -> InformerFactory.create(west))
                    .withPropertyValues("reactive-informer.informers.pods.type=V1Pod",
                            "management.endpoints.web.exposure.include=informers",
                            "management.endpoints.jmx.exposure.include=informers")
                    .run(context -> {
                        Informer<V1Pod> pods = context.getBean("west", InformerFactory.class).of(ResourceType.of(V1Pod.class));
                        pods.synced(PATIENCE).block(PATIENCE);
                        assertThat(context.getBean("podsInformer")).isNotSameAs(pods);
                        assertThat(health(context.getBean(ReactiveHealthIndicator.class)).getDetails()).hasSize(2);
                        assertThat(context.getBean(InformersEndpoint.class).informers().block(PATIENCE).informers()).hasSize(2);
                        stopped[0] = pods;
                    });
            assertThat(stopped[0].status().blockLast(PATIENCE).state()).isEqualTo(InformerStatus.State.STOPPED);
            application.withBean("east", InformerFactory.class, () -> InformerFactory.create(east))
                    .withBean("west", InformerFactory.class, () -> InformerFactory.create(west))
                    .run(context -> assertThat(context).as("nothing is declared, so none must be chosen").hasNotFailed());
        }
    }

    @Test
    void isDownOnceAnInformerHasGivenUp() {
        server.faults().onAny().always().status(403, "Forbidden", "no");
        application.run(context -> {
            Informer<V1Pod> pods = context.getBean(InformerFactory.class).of(
                    InformerSpec.of(ResourceType.of(V1Pod.class)).withOptions(options -> options.withGiveUpWhen(disrupted -> true)));
            pods.status().filter(now -> now.state() == InformerStatus.State.STOPPED).blockFirst(PATIENCE);
            Health down = health(context.getBean(ReactiveHealthIndicator.class));
            assertThat(down.getStatus()).isEqualTo(Status.DOWN);
            assertThat(down.getDetails().get("pods.v1 in all namespaces").toString()).contains("403 Forbidden");
        });
    }

    @Test
    void infoWhereItIsAskedFor() {
        create("Pod", "web");
        ApplicationContextRunner waiting = application.withPropertyValues("reactive-informer.wait-for-sync=30s",
                "reactive-informer.informers.pods.type=V1Pod");
        waiting.run(context -> assertThat(context).doesNotHaveBean(InfoContributor.class));
        ApplicationContextRunner asked = waiting.withPropertyValues("management.info.informers.enabled=true");
        asked.run(context -> {
            var info = new Info.Builder();
            context.getBean(InfoContributor.class).contribute(info);
            assertThat(info.build().get("informers"))
                    .isEqualTo(List.of(Map.of("description", "pods.v1 in all namespaces", "objects", 1, "complete", true)));
        });
        asked.withBean("informersInfoContributor", InfoContributor.class, () -> builder -> {})
                .run(context -> assertThat(context).hasSingleBean(InfoContributor.class));
    }

    @Test
    void healthAndEndpointCanBeTurnedOff() {
        application.withPropertyValues("management.health.informers.enabled=false", "management.endpoint.informers.access=NONE")
                .run(context -> assertThat(context).doesNotHaveBean(ReactiveHealthIndicator.class)
                        .doesNotHaveBean(InformersEndpoint.class));
    }

    @Test
    void theEndpointTellsWhatRuns() {
        create("Pod", "web");
        application.withPropertyValues(
                        "reactive-informer.wait-for-sync=30s",
                        "reactive-informer.informers.pods.type=V1Pod",
                        "management.endpoints.web.exposure.include=informers",
                        "management.endpoints.jmx.exposure.include=informers")
                .run(context -> {
                    InformersEndpoint.One pods = context.getBean(InformersEndpoint.class).informers().block(PATIENCE).informers().get(0);
                    assertThat(pods.description()).isEqualTo("pods.v1 in all namespaces");
                    assertThat(pods.objects()).isEqualTo(1);
                    assertThat(pods.synced()).isTrue();
                    assertThat(pods.resourceVersions()).containsOnlyKeys("all namespaces");
                    assertThat(pods.subscribers()).isEmpty();
                });
    }
}
