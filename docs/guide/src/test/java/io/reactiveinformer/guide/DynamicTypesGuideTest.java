package io.reactiveinformer.guide;

import io.reactiveinformer.client.Discovery;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.WriteOptions;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.informer.InformerFactory;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.FakeApiServer;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

import static org.assertj.core.api.Assertions.assertThat;

/** What {@code docs/guide/dynamic-types.md} shows; {@link GuideSnippetsTest} compares the two. */
@Timeout(60)
class DynamicTypesGuideTest {

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    private final FakeApiServer server = FakeApiServer.create().start();
    private final KubernetesClient client = KubernetesClient.create(ClusterConfig.of(server.url()));
    private final InformerFactory informers = InformerFactory.create(client);

    @BeforeEach
    void begin() {
        server.objects().create("{apiVersion: v1, kind: Namespace, metadata: {name: shop}}");
        server.objects().create("""
                {apiVersion: apps/v1, kind: Deployment, metadata: {name: web, namespace: shop}, spec: {replicas: 1,
                 selector: {matchLabels: {app: web}},
                 template: {metadata: {labels: {app: web}}, spec: {containers: [{name: c, image: i}]}}}}
                """);
    }

    @AfterEach
    void end() {
        informers.close();
        client.close();
        server.close();
    }

    private Mono<ResourceType<JsonNode>> type(String name) {
        return client.discovery().find(name)
                .switchIfEmpty(Mono.error(() -> new IllegalArgumentException("the server has no " + name)));
    }

    @Test
    void aTypeIsFoundByTheNameThatAPersonGives() {
        assertThat(type("deploy").block(PATIENCE)).hasToString("deployments.v1.apps");
    }

    @Test
    void theTypesOfTheServer() {
        Flux<ResourceType<JsonNode>> listable = client.discovery().all();        // as kubectl api-resources --verbs=list
        Flux<Discovery.Resource> watchable = client.discovery().resources()
                .filter(resource -> resource.preferred() && resource.verbs().containsAll(List.of("list", "watch")));
        assertThat(listable.map(ResourceType::plural).collectList().block(PATIENCE)).contains("deployments");
        assertThat(watchable.map(resource -> resource.type().plural()).collectList().block(PATIENCE)).contains("deployments");
    }

    private Flux<String> images(ResourceType<JsonNode> type) {
        return client.resources(type).listAll(Namespaces.of("shop"), ListOptions.defaults())
                .map(object -> object.at("/metadata/name").asString() + " "
                        + object.at("/spec/template/spec/containers/0/image").asString(""));
    }

    @Test
    void itIsListed() {
        assertThat(type("deploy").flatMapMany(this::images).collectList().block(PATIENCE)).containsExactly("web i");
    }

    private Flux<Integer> replicas(ResourceType<JsonNode> type, ObjectKey key) {
        Informer<JsonNode> objects = informers.of(type, Namespaces.of(key.namespace()));  // or ResourceType.metadata(…)
        informers.start();
        return objects.objects().filter(object -> object.at("/metadata/name").asString().equals(key.name()))
                .map(object -> object.at("/spec/replicas").asInt(1));
    }

    @Test
    void itIsWatched() {
        assertThat(type("deploy").flatMapMany(found -> replicas(found, ObjectKey.of("shop", "web"))).blockFirst(PATIENCE)).isEqualTo(1);
    }

    private Mono<JsonNode> scale(ResourceType<JsonNode> type, ObjectKey key, int replicas) {
        return client.resources(type).patch(key, Patch.merge(Map.of("spec", Map.of("replicas", replicas))));
    }

    private Mono<JsonNode> label(ResourceType<JsonNode> type, ObjectKey key, String name, String value) {
        ObjectNode ours = JsonNodeFactory.instance.objectNode();                 // our fields only
        ours.withObject("/metadata/labels").put(name, value);
        return client.resources(type).apply(key, ours, WriteOptions.defaults().withFieldManager("labeller"));
    }

    @Test
    void itIsWritten() {
        ResourceType<JsonNode> type = type("deploy").block(PATIENCE);
        ObjectKey key = ObjectKey.of("shop", "web");
        assertThat(scale(type, key, 3).block(PATIENCE).at("/spec/replicas").asInt()).isEqualTo(3);
        JsonNode labelled = label(type, key, "team", "blue").block(PATIENCE);
        assertThat(labelled.at("/metadata/labels/team").asString()).isEqualTo("blue");
        assertThat(labelled.at("/spec/replicas").asInt()).isEqualTo(3);
    }

    private Informer<JsonNode> listedByPeriod(ResourceType<JsonNode> type) {
        ListerWatcher<JsonNode> lists = ListerWatcher.polling(ListerWatcher.over(client, type, Namespaces.all()), Duration.ofSeconds(30));
        return Informer.over(lists, ReflectorOptions.defaults());
    }

    @Test
    void aTypeThatCannotBeWatchedIsListedByPeriod() {
        Informer<JsonNode> metrics = listedByPeriod(type("deploy").block(PATIENCE));
        metrics.start();
        metrics.synced().block(PATIENCE);
        assertThat(metrics.snapshot().size()).isEqualTo(1);
        metrics.stop();
    }
}
