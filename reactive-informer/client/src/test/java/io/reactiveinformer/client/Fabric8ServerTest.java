package io.reactiveinformer.client;

import io.fabric8.kubernetes.client.server.mock.KubernetesCrudDispatcher;
import io.fabric8.kubernetes.client.server.mock.KubernetesMockServer;
import io.fabric8.mockwebserver.Context;
import io.fabric8.mockwebserver.MockWebServer;
import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Against a server that none of us wrote: fabric8's, which keeps what it is sent. It offers watches by WebSocket only, so these are not
 * among what is shown here.
 */
class Fabric8ServerTest {

    private static final Duration LIMIT = Duration.ofSeconds(30);
    private static final ObjectKey A = ObjectKey.of("prod", "a");

    private final KubernetesMockServer server =
            new KubernetesMockServer(new Context(), new MockWebServer(), new HashMap<>(), new KubernetesCrudDispatcher(), false);
    private KubernetesClient client;
    private ResourceClient<V1ConfigMap> configMaps;

    @BeforeEach
    void start() {
        server.init();
        client = KubernetesClient.create(ClusterConfig.of("http://127.0.0.1:" + server.getPort()));
        configMaps = client.resources(ResourceType.of(V1ConfigMap.class));
    }

    @AfterEach
    void stop() {
        client.dispose().block(LIMIT);
        server.destroy();
    }

    private static V1ConfigMap configMap(String name, String value) {
        return new V1ConfigMap().metadata(new V1ObjectMeta().name(name).namespace("prod").putLabelsItem("app", value))
                .putDataItem("k", value);
    }

    private List<String> names(Namespaces part, ListOptions options) {
        return configMaps.list(part, options, Reading.anew()).ofType(ObjectEvent.Applied.class)
                .map(item -> ((ObjectEvent.Applied<?>) item).key().toString()).collectList().block(LIMIT);
    }

    /** Refused a lock while it stops, it never ends. */
    @Test
    void itsOwnThreadsMayWait() throws Exception {
        Vertx vertx = Vertx.vertx();
        CompletableFuture<Void> waited = new CompletableFuture<>();
        vertx.runOnContext(nothing -> {
            try {
                LockSupport.parkNanos(1);
                waited.complete(null);
            } catch (Throwable refused) {
                waited.completeExceptionally(refused);
            }
        });
        waited.get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        vertx.close().toCompletionStage().toCompletableFuture().get(LIMIT.toSeconds(), TimeUnit.SECONDS);
    }

    @Test
    void keepsWhatIsCreatedAndGivesItBack() {
        V1ConfigMap made = configMaps.create(Namespaces.of("prod"), configMap("a", "one")).block(LIMIT);
        assertThat(made.getMetadata().getUid()).isNotEmpty();
        assertThat(configMaps.get(A).block(LIMIT)).isEqualTo(made);
        assertThatThrownBy(() -> configMaps.get(ObjectKey.of("prod", "b")).block(LIMIT)).isInstanceOf(NotFoundException.class);
        assertThatThrownBy(() -> configMaps.create(Namespaces.of("prod"), configMap("a", "two")).block(LIMIT))
                .isInstanceOf(ConflictException.class);
    }

    @Test
    void listsWhatIsSelected() {
        configMaps.create(Namespaces.of("prod"), configMap("a", "one")).block(LIMIT);
        configMaps.create(Namespaces.of("prod"), configMap("b", "two")).block(LIMIT);
        assertThat(names(Namespaces.of("prod"), ListOptions.defaults())).containsExactlyInAnyOrder("prod/a", "prod/b");
        assertThat(names(Namespaces.all(), ListOptions.defaults().withSelector(Selector.labels("app=two")))).containsExactly("prod/b");
        assertThat(configMaps.listAll(Namespaces.of("prod"), ListOptions.defaults()).collectList().block(LIMIT)).hasSize(2);
        assertThat(names(Namespaces.of("test"), ListOptions.defaults())).isEmpty();
    }

    @Test
    void changesWhatIsThere() {
        V1ConfigMap made = configMaps.create(Namespaces.of("prod"), configMap("a", "one")).block(LIMIT);
        V1ConfigMap changed = configMaps.update(A, made.putDataItem("k", "two")).block(LIMIT);
        assertThat(changed.getData()).containsEntry("k", "two");
        assertThat(changed.getMetadata().getResourceVersion()).isNotEqualTo(made.getMetadata().getResourceVersion());
        V1ConfigMap merged = configMaps.patch(A, Patch.merge(Map.of("data", Map.of("m", "1")))).block(LIMIT);
        assertThat(merged.getData()).containsEntry("k", "two").containsEntry("m", "1");
        V1ConfigMap replaced = configMaps.patch(A, Patch.json(List.of(Map.of("op", "replace", "path", "/data/m", "value", "2"))))
                .block(LIMIT);
        assertThat(replaced.getData()).containsEntry("m", "2");
    }

    @Test
    void deletesOneAndAll() {
        configMaps.create(Namespaces.of("prod"), configMap("a", "one")).block(LIMIT);
        configMaps.create(Namespaces.of("prod"), configMap("b", "two")).block(LIMIT);
        configMaps.delete(A).block(LIMIT);
        assertThat(names(Namespaces.of("prod"), ListOptions.defaults())).containsExactly("prod/b");
        configMaps.deleteAll(Namespaces.of("prod"), ListOptions.defaults(), DeleteOptions.defaults()).block(LIMIT);
        assertThat(names(Namespaces.of("prod"), ListOptions.defaults())).isEmpty();
    }

    @Test
    void writesTheStatusApart() {
        ResourceClient<V1Pod> pods = client.resources(ResourceType.of(V1Pod.class));
        pods.create(Namespaces.of("prod"), new V1Pod().metadata(new V1ObjectMeta().name("a").namespace("prod"))).block(LIMIT);
        V1Pod running = pods.status().patch(A, Patch.merge(Map.of("status", Map.of("phase", "Running")))).block(LIMIT);
        assertThat(running.getStatus().getPhase()).isEqualTo("Running");
    }

    @Test
    void takesObjectsWithoutAClass() {
        ResourceClient<JsonNode> dynamic = client.resources(ResourceType.dynamic("", "v1", "configmaps")
                .kind("ConfigMap", ResourceType.Scope.NAMESPACED));
        configMaps.create(Namespaces.of("prod"), configMap("a", "one")).block(LIMIT);
        assertThat(dynamic.get(A).block(LIMIT).at("/data/k").asString()).isEqualTo("one");
    }
}
