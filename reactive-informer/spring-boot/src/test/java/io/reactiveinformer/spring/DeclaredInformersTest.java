package io.reactiveinformer.spring;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.ResourceEventHandler;
import io.reactiveinformer.resource.FieldPath;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.test.FakeApiServer;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.InformerStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.springframework.boot.autoconfigure.AutoConfigurations;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.ReactiveHealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.runner.ApplicationContextRunner;
import org.springframework.core.ResolvableType;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What each property of an informer does. */
@Timeout(60)
class DeclaredInformersTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final ObjectKey WEB = ObjectKey.of("shop", "web");
    private static final String PODS = "reactive-informer.informers.pods.";

    private final FakeApiServer server = FakeApiServer.create().start();
    private ApplicationContextRunner application = new ApplicationContextRunner().withConfiguration(AutoConfigurations.of(
            ReactiveInformerAutoConfiguration.class, InformersHealthAutoConfiguration.class));

    @BeforeEach
    void use() {
        application = application.withPropertyValues("reactive-informer.url=" + server.url(), "reactive-informer.wait-for-sync=30s");
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop},"
                + " spec: {containers: [{name: main, image: i}], nodeName: n1}}");
    }

    @AfterEach
    void close() {
        server.close();
    }

    record Widget(V1ObjectMeta metadata, Map<String, Object> spec) {}

    private void defineWidgets(String scope) {
        server.objects().create("""
                apiVersion: apiextensions.k8s.io/v1
                kind: CustomResourceDefinition
                metadata: {name: widgets.example.com}
                spec:
                  group: example.com
                  names: {plural: widgets, kind: Widget}
                  scope: %s
                  versions:
                  - name: v1
                    served: true
                    storage: true
                    schema: {openAPIV3Schema: {type: object, properties: {spec: {type: object, x-kubernetes-preserve-unknown-fields: true}}}}
                """.formatted(scope));
    }

    private ApplicationContextRunner widgets(String type, String... more) {
        String widgets = "reactive-informer.informers.widgets.";
        return application.withPropertyValues(widgets + "type=" + type, widgets + "group=example.com", widgets + "version=v1",
                widgets + "plural=widgets").withPropertyValues(more);
    }

    @Test
    void readsAClassOfTheUsersOwn() {
        defineWidgets("Namespaced");
        server.objects().create("{apiVersion: example.com/v1, kind: Widget, metadata: {name: one, namespace: shop}, spec: {size: 3}}");
        for (Class<?> type : List.of(Widget.class, JsonNode.class, PartialObjectMetadata.class)) {
            widgets(type.getName(), "reactive-informer.informers.widgets.namespaces=shop").run(context -> {
                String[] names = context.getBeanNamesForType(ResolvableType.forClassWithGenerics(Informer.class, type));
                assertThat(names).containsExactly("widgetsInformer");
                Informer<?> informer = context.getBean(names[0], Informer.class);
                assertThat(informer.lister().keys()).containsExactly(ObjectKey.of("shop", "one"));
                assertThat(informer.lister().list().get(0)).isInstanceOf(type);
                assertThat(informer.description()).isEqualTo("widgets.v1.example.com in namespace shop");
            });
        }
    }

    @Test
    void readsATypeThatLivesInNoNamespace() {
        defineWidgets("Cluster");
        server.objects().create("{apiVersion: example.com/v1, kind: Widget, metadata: {name: one}, spec: {size: 3}}");
        widgets(Widget.class.getName(), "reactive-informer.informers.widgets.namespaced=false", "reactive-informer.namespaces=shop")
                .run(context -> {
                    Informer<?> informer = context.getBean("widgetsInformer", Informer.class);
                    assertThat(informer.lister().keys()).containsExactly(ObjectKey.clusterScoped("one"));
                    assertThat(informer.namespaces().isAll()).isTrue();
                });
    }

    record OnNode(@FieldPath("spec.nodeName") String node) {}

    @Test
    void cachesAProjection() {
        application.withPropertyValues(PODS + "type=V1Pod", PODS + "projection=" + OnNode.class.getName()).run(context -> {
            Informer<OnNode> pods = context.<Informer<OnNode>>getBeanProvider(
                    ResolvableType.forClassWithGenerics(Informer.class, OnNode.class)).getObject();
            assertThat(pods.lister().list()).containsExactly(new OnNode("n1"));
        });
    }

    @Test
    void theApplicationIsReadyWithoutAnOptionalInformer() {
        server.access().deny("*", "secrets");
        String secrets = "reactive-informer.informers.secrets.";
        String widgets = "reactive-informer.informers.widgets.";
        ApplicationContextRunner both = application.withPropertyValues(
                PODS + "type=V1Pod", secrets + "type=V1Secret", secrets + "optional=true",
                widgets + "type=" + Widget.class.getName(), widgets + "group=example.com", widgets + "version=v1",
                widgets + "plural=widgets", widgets + "optional=true");
        both.run(context -> {
            assertThat(context).as("the start waits for the others only").hasNotFailed();
            ((Informer<?>) context.getBean("secretsInformer")).status().filter(status -> status.cause() != null).blockFirst(PATIENCE);
            ((Informer<?>) context.getBean("widgetsInformer")).status().filter(status -> status.cause() != null).blockFirst(PATIENCE);
            Health health = context.getBean(ReactiveHealthIndicator.class).health().block(PATIENCE);
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails().get("secrets.v1 in all namespaces").toString())
                    .contains("synced=true", "optional=true", "403");
            assertThat(health.getDetails().get("widgets.v1.example.com in all namespaces").toString())
                    .contains("synced=true", "optional=true", "404");
            assertThat(health.getDetails().get("pods.v1 in all namespaces").toString()).doesNotContain("optional");
        });
        both.withPropertyValues("reactive-informer.informers.same.type=V1Secret", "reactive-informer.wait-for-sync=1s")
                .run(context -> assertThat(context.getStartupFailure()).as("one of its two declarations needs it")
                        .hasStackTraceContaining("secrets.v1 in all namespaces: not synced"));
    }

    @Test
    void aForbiddenNamespaceOfAnOptionalInformerStopsNoOther() {
        server.access().allow("*", "*", "*", null).deny("*", "list", "configmaps", "bank");
        server.objects().create("{apiVersion: v1, kind: ConfigMap, metadata: {name: one, namespace: shop}}");
        String maps = "reactive-informer.informers.maps.";
        application.withPropertyValues(maps + "type=V1ConfigMap", maps + "namespaces=shop,bank", maps + "optional=true").run(context -> {
            Informer<?> informer = context.getBean("mapsInformer", Informer.class);
            assertThat(informer.changes().take(2).collectList().block(PATIENCE)).hasSize(2).last().isInstanceOf(Change.Synced.class);
            informer.status().filter(status -> status.state() == InformerStatus.State.LIVE).blockFirst(PATIENCE);
            Health health = context.getBean(ReactiveHealthIndicator.class).health().block(PATIENCE);
            assertThat(health.getStatus()).isEqualTo(Status.UP);
            assertThat(health.getDetails().get("configmaps.v1 in namespaces bank, shop").toString())
                    .contains("synced=true", "causes={namespace bank=403");
        });
    }

    @Test
    void becomesCompleteOnceItIsAllowed() {
        server.access().deny("*", "secrets");
        application.withPropertyValues("reactive-informer.informers.secrets.type=V1Secret",
                "reactive-informer.informers.secrets.optional=true").run(context -> {
                    Informer<?> secrets = context.getBean("secretsInformer", Informer.class);
                    secrets.status().filter(status -> status.cause() != null && status.synced()).blockFirst(PATIENCE);
                    server.access().clear();
                    secrets.status().filter(status -> status.cause() == null && status.synced()).blockFirst(PATIENCE);
                });
    }

    @Test
    void listsAsItsOwnPropertiesSay() {
        server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: db, namespace: shop},"
                + " spec: {containers: [{name: main, image: i}]}}");
        ApplicationContextRunner streaming = application.withPropertyValues(PODS + "type=V1Pod", "reactive-informer.streaming-lists=true");
        streaming.run(context -> assertThat(server.requests().all()).anyMatch(one -> one.uri().contains("sendInitialEvents=true")));
        server.requests().clear();
        streaming.withPropertyValues(PODS + "streaming-lists=false", PODS + "page-size=1").run(context -> {
            assertThat(context.getBean("podsInformer", Informer.class).lister().count()).isEqualTo(2);
            assertThat(server.requests().all()).noneMatch(one -> one.uri().contains("sendInitialEvents=true"))
                    .anyMatch(one -> one.uri().contains("limit=1&") || one.uri().endsWith("limit=1"));
        });
    }

    @Test
    void savesItsObjectsAsItsOwnPropertySays(@TempDir Path directory) throws Exception {
        ApplicationContextRunner saving = application.withPropertyValues("reactive-informer.snapshots=" + directory,
                PODS + "type=V1Pod", "reactive-informer.informers.secrets.type=V1Secret");
        saving.withPropertyValues(PODS + "warm-start=false").run(context -> assertThat(context).hasNotFailed());
        assertThat(files(directory)).as("neither pods nor secrets").isZero();
        saving.run(context -> assertThat(context).hasNotFailed());
        assertThat(files(directory)).as("pods").isOne();
        saving.withPropertyValues("reactive-informer.informers.secrets.warm-start=true")
                .run(context -> assertThat(context).hasNotFailed());
        assertThat(files(directory)).as("secrets too").isEqualTo(2);
    }

    private static long files(Path directory) throws Exception {
        try (Stream<Path> files = Files.list(directory)) {
            return files.count();
        }
    }

    /** Does not return from the first call before it may go on; must not block its thread. */
    static final class Slow implements ResourceEventHandler<V1Pod> {

        private final AtomicInteger updates = new AtomicInteger();
        private volatile boolean called;
        private volatile boolean goOn;
        private volatile boolean sawTheLast;

        @Override
        public void onAdd(V1Pod object, boolean initial) {
            called = true;
            boolean waits = true;
            while (waits) {
                waits = !goOn; // BlockHound refuses Thread.onSpinWait here
            }
        }

        @Override
        public void onUpdate(V1Pod before, V1Pod after) {
            updates.incrementAndGet();
            sawTheLast = PartialObjectMetadata.labels(after).get("round").equals("3");
        }
    }

    @Test
    void deliversEachStateWhereThatIsSaid() {
        Map.of("conflated", 1, "every(100)", 3).forEach((delivery, states) -> {
            server.reset();
            server.objects().create("{apiVersion: v1, kind: Pod, metadata: {name: web, namespace: shop},"
                    + " spec: {containers: [{name: main, image: i}]}}");
            application.withBean(Slow.class).withPropertyValues(PODS + "type=V1Pod", PODS + "delivery=" + delivery).run(context -> {
                Slow slow = context.getBean(Slow.class);
                Informer<?> pods = context.getBean("podsInformer", Informer.class);
                spinUntil(() -> slow.called);
                for (int one = 1; one <= 3; one++) {
                    String round = Integer.toString(one);
                    var edited = server.objects().edit(ResourceType.of(V1Pod.class), WEB, pod -> {
                        pod.withObject("/metadata/labels").put("round", round);
                        return pod;
                    });
                    pods.atLeast(WEB, edited.at("/metadata/resourceVersion").asString()).block(PATIENCE);
                }
                slow.goOn = true;
                spinUntil(() -> slow.sawTheLast);
                assertThat(slow.updates).as(delivery).hasValue(states);
            });
        });
    }

    @Test
    void aHandlerThatMissedStatesGoesOnAndIsNamed() {
        application.withBean("slowPods", Slow.class).withPropertyValues(PODS + "type=V1Pod", PODS + "delivery=every(1)").run(context -> {
            Slow slow = context.getBean(Slow.class);
            ReactiveHealthIndicator health = context.getBean("informersHealthIndicator", ReactiveHealthIndicator.class);
            Informer<?> pods = context.getBean("podsInformer", Informer.class);
            spinUntil(() -> slow.called);
            for (int one = 1; one <= 3; one++) {
                relabel(pods, one);
            }
            slow.goOn = true;
            spinUntil(() -> slow.sawTheLast);
            relabel(pods, 4);
            spinUntil(() -> !slow.sawTheLast);
            assertThat(slow.updates).as("one for two of them, the third, and one more").hasValue(3);
            assertThat(health.health().block(PATIENCE).getStatus()).isEqualTo(Status.UP);
            assertThat(health.health().block(PATIENCE).getDetails().toString()).contains("missedStates={slowPods=2}");
        });
    }

    private void relabel(Informer<?> pods, int one) {
        String round = Integer.toString(one);
        server.objects().edit(ResourceType.of(V1Pod.class), WEB, pod -> {
            pod.withObject("/metadata/labels").put("round", round);
            return pod;
        });
        pods.await(WEB, pod -> round.equals(PartialObjectMetadata.labels(pod).get("round"))).block(PATIENCE);
    }

    @Test
    void aHandlerThatEndedIsNamedAndDown() {
        application.withBean("endedPods", OutOfMemory.class).withPropertyValues(PODS + "type=V1Pod").run(context -> {
            ReactiveHealthIndicator health = context.getBean("informersHealthIndicator", ReactiveHealthIndicator.class);
            spinUntil(() -> health.health().block(PATIENCE).getStatus().equals(Status.DOWN));
            assertThat(health.health().block(PATIENCE).getDetails().toString()).contains("endedHandlers=[endedPods]");
        });
    }

    static final class OutOfMemory implements ResourceEventHandler<V1Pod> {

        @Override
        public void onAdd(V1Pod object, boolean initial) {
            throw new OutOfMemoryError("planted");
        }
    }

    private static void spinUntil(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            Thread.onSpinWait();
        }
    }
}
