package io.reactiveinformer.informer;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Node;
import io.reactiveinformer.client.DeleteOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.Patch;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.ScriptedTransport;
import io.reactiveinformer.client.WriteOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.ResourceType.Scope;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.junit.jupiter.params.provider.Arguments.arguments;

/**
 * A namespace too few, or one too many, is a mistake that is reported before anything is sent: the server would only say that there is no
 * such object.
 */
class NamespacesTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ObjectKey NONE = ObjectKey.clusterScoped("a");
    private static final ObjectKey ONE = ObjectKey.of("shop", "a");
    private static final JsonNode OBJECT = JsonMapper.shared().readTree("{\"metadata\":{\"name\":\"a\"}}");
    private static final Patch PATCH = Patch.merge(Map.of("a", 1));
    private static final WriteOptions WRITE = WriteOptions.defaults().withFieldManager("me");

    private final ScriptedTransport server = new ScriptedTransport();
    private final KubernetesClient client = KubernetesClient.over(server);

    private interface Call {
        Publisher<?> on(ResourceClient<JsonNode> client, ObjectKey key, Namespaces part);
    }

    static Stream<Arguments> calls() {
        return Stream.of(
                arguments("get", (Call) (client, key, part) -> client.get(key)),
                arguments("create", (Call) (client, key, part) -> client.create(part, OBJECT)),
                arguments("update", (Call) (client, key, part) -> client.update(key, OBJECT, WRITE)),
                arguments("patch", (Call) (client, key, part) -> client.patch(key, PATCH, WRITE)),
                arguments("apply", (Call) (client, key, part) -> client.apply(key, OBJECT, WRITE)),
                arguments("delete", (Call) (client, key, part) -> client.delete(key)),
                arguments("deleteAll", (Call) (client, key, part) ->
                        Flux.defer(() -> client.deleteAll(part, ListOptions.defaults(), DeleteOptions.defaults()))),
                arguments("status", (Call) (client, key, part) -> client.status().get(key)),
                arguments("scale", (Call) (client, key, part) -> client.scale().get(key)),
                arguments("subresource", (Call) (client, key, part) ->
                        client.subresource("eviction", ResourceType.dynamic("policy", "v1", "evictions"))
                        .create(key, OBJECT, WRITE)));
    }

    private static ResourceType<JsonNode> type(String plural, Scope scope) {
        return ResourceType.dynamic("example.com", "v1", plural).kind("Some", scope);
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void whatLivesInNamespacesNeedsOne(String verb, Call call) {
        StepVerifier.create(call.on(client.resources(type("widgets", Scope.NAMESPACED)), NONE, Namespaces.all()))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("widgets.v1.example.com are namespaced, and ")
                        .hasMessageContaining("\"the-namespace\""))
                .verify(LIMIT);
        assertThat(server.requests()).isEmpty();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("calls")
    void whatLivesInNoNamespaceTakesNone(String verb, Call call) {
        StepVerifier.create(call.on(client.resources(type("zones", Scope.CLUSTER)), ONE, Namespaces.of("shop")))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("zones.v1.example.com are cluster-scoped, and "))
                .verify(LIMIT);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void aTypeOfOurOwnKnowsWhereItLivesWhateverIsMadeOfIt() {
        ResourceType<V1ConfigMap> maps = ResourceType.of(V1ConfigMap.class);
        assertThatIllegalArgumentException().isThrownBy(() -> maps.requireKey(NONE))
                .withMessage("configmaps.v1 are namespaced, and the key a has no namespace; use ObjectKey.of(\"the-namespace\", \"a\")");
        assertThatIllegalArgumentException().isThrownBy(() -> ResourceType.metadata("", "v1", "nodes").requireKey(ONE))
                .withMessage("nodes.v1 are cluster-scoped, and the key shop/a has a namespace; use ObjectKey.clusterScoped(\"a\")");
        assertThatIllegalArgumentException().isThrownBy(() -> ResourceType.of(V1Node.class).as(JsonNode.class).requireKey(ONE));
        maps.requireKey(ONE);
        ResourceType.dynamic("", "v1", "nodes").requireKey(NONE);
    }

    /** Of a custom type that was named by its coordinates only, the server knows. */
    @Test
    void whatIsOnlyAssumedCountsAgainstNobody() {
        ResourceType<JsonNode> unknown = ResourceType.dynamic("example.com", "v1", "zones");
        server.then(200, OBJECT.toString()).then(200, OBJECT.toString());
        client.resources(unknown).get(NONE).block(LIMIT);
        client.resources(unknown).get(ONE).block(LIMIT);
        server.verifyAsked("GET /apis/example.com/v1/zones/a", "GET /apis/example.com/v1/namespaces/shop/zones/a");
    }

    @Test
    void whatLivesInNoNamespaceIsNotListedInOne() {
        ResourceType<V1Node> nodes = ResourceType.of(V1Node.class);
        Namespaces shop = Namespaces.of("shop");
        String refusal = "nodes.v1 are cluster-scoped, and were requested in namespace shop; use Namespaces.all()";
        StepVerifier.create(client.resources(nodes).list(shop, ListOptions.defaults(), Reading.anew()))
                .expectErrorMessage(refusal).verify(LIMIT);
        StepVerifier.create(client.resources(nodes).listAll(shop, ListOptions.defaults())).expectErrorMessage(refusal).verify(LIMIT);
        assertThatIllegalArgumentException().isThrownBy(() -> ListerWatcher.over(client, nodes, shop)).withMessage(refusal);
        assertThatIllegalArgumentException().isThrownBy(() -> InformerSpec.of(nodes).withNamespaces(shop)).withMessage(refusal);
        assertThat(server.requests()).isEmpty();
    }

    @Test
    void noNamespaceIsSaidOfWhatHasNone() {
        ResourceType<V1Node> nodes = ResourceType.of(V1Node.class);
        assertThat(ListerWatcher.over(client, nodes, Namespaces.all()).identity().description()).isEqualTo("nodes.v1");
        assertThat(InformerSpec.of(nodes).withSelector(Selector.labels("a=b")).description()).isEqualTo("nodes.v1, labels \"a=b\"");
        assertThat(InformerSpec.of(ResourceType.of(V1ConfigMap.class)).description()).isEqualTo("configmaps.v1 in all namespaces");
        assertThat(InformerSpec.of(ResourceType.of(V1ConfigMap.class)).withNamespaces(Namespaces.of("shop")).description())
                .isEqualTo("configmaps.v1 in namespace shop");
    }
}
