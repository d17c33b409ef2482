package io.reactiveinformer.client;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Scale;
import io.kubernetes.client.openapi.models.V1ScaleSpec;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What each option becomes on the wire. */
class VerbsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ObjectKey KEY = ObjectKey.of("prod", "a");
    private static final String OBJECT = "{\"metadata\":{\"namespace\":\"prod\",\"name\":\"a\",\"resourceVersion\":\"1\"}}";
    private static final String LIST = "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}";

    private final ScriptedTransport server = new ScriptedTransport();
    private final KubernetesClient client = KubernetesClient.over(server);
    private final ResourceClient<V1ConfigMap> configMaps = client.resources(ResourceType.of(V1ConfigMap.class));

    private JsonNode sent() {
        return JsonMapper.shared().readTree(server.requests().get(server.requests().size() - 1).body());
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    @Test
    void everyOptionOfAListIsAParameter() {
        server.then(200, LIST);
        ListOptions all = ListOptions.defaults().withSelector(Selector.labels("app in (a,b)").and(Selector.fields("metadata.name=x")))
                .withLimit(7)
                .withResourceVersion("42", ListOptions.Match.NOT_OLDER_THAN).withTimeout(Duration.ofMillis(90_100));
        configMaps.list(Namespaces.of("prod"), all, Reading.anew()).blockLast(LIMIT);
        configMaps.list(Namespaces.all(), all.withContinue("token"), Reading.anew()).blockLast(LIMIT);
        server.verifyAsked(
                "GET "
                        + "/api/v1/namespaces/prod/configmaps?labelSelector=app+in+%28a%2Cb%29&fieldSelector=metadata.name%3Dx"
                        + "&timeoutSeconds=91&limit=7&resourceVersion=42&resourceVersionMatch=NotOlderThan",
                "GET "
                        + "/api/v1/configmaps?labelSelector=app+in+%28a%2Cb%29&fieldSelector=metadata.name%3Dx&timeoutSeconds=91&limit=7"
                        + "&continue=token");
        assertThat(server.requests().get(0).silence()).as("the server's answer to its own timeout is awaited")
                .isGreaterThan(Duration.ofSeconds(91));
        assertThatThrownBy(() -> all.withTimeout(Duration.ZERO)).hasMessage("a list's timeout must be at least 1s, was PT0S");
    }

    /** The server reads one object for that, whatever the part. */
    @Test
    void oneObjectIsListedInItsNamespace() {
        server.then(200, LIST);
        ListOptions one = ListOptions.defaults().withKey(KEY).withLimit(1).withResourceVersion("42", ListOptions.Match.EXACT);
        configMaps.list(Namespaces.all(), one.withSelector(Selector.labels("app=a")), Reading.anew()).blockLast(LIMIT);
        configMaps.list(Namespaces.of("other"), one.withKey(ObjectKey.clusterScoped("b")), Reading.anew()).blockLast(LIMIT);
        configMaps.listAll(Namespaces.of(Set.of("x", "y")), ListOptions.defaults().withKey(KEY)).blockLast(LIMIT);
        server.verifyAsked(
                "GET /api/v1/namespaces/prod/configmaps?labelSelector=app%3Da&fieldSelector=metadata.name%3Da&limit=1"
                        + "&resourceVersion=42&resourceVersionMatch=Exact",
                "GET /api/v1/configmaps?fieldSelector=metadata.name%3Db&limit=1&resourceVersion=42&resourceVersionMatch=Exact",
                "GET /api/v1/namespaces/prod/configmaps?fieldSelector=metadata.name%3Da&limit=500");
        assertThatThrownBy(() -> configMaps.deleteAll(Namespaces.of("prod"), one, DeleteOptions.defaults()))
                .hasMessage("deleteAll deletes several objects: delete prod/a by its key");
    }

    /** 236: TestWatchUnknownContentType. */
    @Test
    void aWatchThatIsNoJsonIsDistinguishedFromAnEmptyOne() {
        KubernetesClient json = KubernetesClient.over(server, ClientOptions.defaults().withProtobuf(false));
        for (var maps : List.of(configMaps, json.resources(ResourceType.of(V1ConfigMap.class)))) {
            server.then(200, "k8s", "Content-Type", maps == configMaps
                    ? "application/cbor-seq" : "application/vnd.kubernetes.protobuf;stream=watch");
            StepVerifier.create(maps.watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(1)), Reading.anew()))
                    .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(UnexpectedAnswerException.class)
                            .hasMessageContaining("expected JSON"))
                    .verify(LIMIT);
        }
        json.close();
    }

    @Test
    void ofPartialObjectMetadataRequestsTheMetadataAlone() {
        server.then(200, LIST).then(200, "");
        var names = client.resources(ResourceType.of(V1ConfigMap.class).as(PartialObjectMetadata.class));
        names.list(Namespaces.all(), ListOptions.defaults(), Reading.anew()).blockLast(LIMIT);
        names.watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(1)), Reading.anew()).blockLast(LIMIT);
        assertThat(server.requests())
                .allMatch(request -> request.headers().first("Accept").orElse("").contains(";as=PartialObjectMetadata"));
    }

    @Test
    void everyOptionOfAWriteIsAParameter() {
        server.then(200, OBJECT);
        WriteOptions all = WriteOptions.defaults()
                .withFieldManager("me").withDryRun().withForce().withFieldValidation(WriteOptions.FieldValidation.STRICT);
        configMaps.apply(KEY, new V1ConfigMap(), all).block(LIMIT);
        configMaps.update(KEY, new V1ConfigMap(), WriteOptions.defaults().withFieldValidation(WriteOptions.FieldValidation.WARN))
                .block(LIMIT);
        server.verifyAsked(
                "PATCH /api/v1/namespaces/prod/configmaps/a?dryRun=All&fieldManager=me&force=true&fieldValidation=Strict",
                "PUT /api/v1/namespaces/prod/configmaps/a?fieldValidation=Warn");
    }

    @Test
    void everyOptionOfADeletionIsInItsBody() {
        server.then(200, "{\"kind\":\"Status\"}");
        DeleteOptions all = DeleteOptions.defaults().withGracePeriod(Duration.ofMillis(900))
                .withPropagation(DeleteOptions.Propagation.FOREGROUND)
                .withUid("u1").withResourceVersion("42").withDryRun();
        configMaps.delete(KEY, all).block(LIMIT);
        assertThat(sent()).isEqualTo(json("""
                {"apiVersion":"v1","kind":"DeleteOptions","gracePeriodSeconds":1,"propagationPolicy":"Foreground",
                 "preconditions":{"uid":"u1","resourceVersion":"42"}}"""));
        server.verifyAsked("DELETE /api/v1/namespaces/prod/configmaps/a?dryRun=All");
    }

    @Test
    void beforeWhatCannotBeUndoneAnOldCacheIsNoticed() {
        var cached = new V1ConfigMap().metadata(new V1ObjectMeta().namespace("prod").name("a").uid("u1").resourceVersion("1"));
        server.then(200, stored("u1", "1")).then(200, stored("u1", "2")).then(200, stored("u2", "1")).then(404, "");
        assertThat(configMaps.getUnchanged(cached).block(LIMIT).getMetadata()).isEqualTo(cached.getMetadata());
        server.verifyAsked("GET /api/v1/namespaces/prod/configmaps/a");
        assertThatThrownBy(() -> configMaps.getUnchanged(cached).block(LIMIT)).isInstanceOf(ConflictException.class)
                .hasMessage("409 Conflict: cannot rely on configmaps.v1 prod/a: it has changed, from version 1 to 2");
        assertThatThrownBy(() -> configMaps.getUnchanged(cached).block(LIMIT)).isInstanceOf(ConflictException.class).hasMessage(
                "409 Conflict: cannot rely on configmaps.v1 prod/a: it is another object of that name, with uid u2 instead of u1");
        assertThatThrownBy(() -> configMaps.getUnchanged(cached).block(LIMIT)).isInstanceOf(NotFoundException.class);
        assertThatThrownBy(() -> configMaps.getUnchanged(new V1ConfigMap().metadata(new V1ObjectMeta().name("a"))).block(LIMIT))
                .hasMessage("uid");
    }

    private static String stored(String uid, String version) {
        return "{\"metadata\":{\"namespace\":\"prod\",\"name\":\"a\",\"uid\":\"" + uid + "\",\"resourceVersion\":\"" + version + "\"}}";
    }

    @Test
    void deletesWhatIsSelectedInEachNamespace() {
        server.then(200, LIST);
        configMaps.deleteAll(Namespaces.of(Set.of("x", "y")), ListOptions.defaults().withSelector(Selector.labels("app=a")),
                DeleteOptions.defaults().withPropagation(DeleteOptions.Propagation.ORPHAN)).block(LIMIT);
        assertThat(server.requests()).extracting(Object::toString).containsExactlyInAnyOrder(
                "DELETE /api/v1/namespaces/x/configmaps?labelSelector=app%3Da",
                "DELETE /api/v1/namespaces/y/configmaps?labelSelector=app%3Da");
        assertThat(sent().path("propagationPolicy").asString()).isEqualTo("Orphan");
    }

    @Test
    void scalesWithoutTouchingTheRest() {
        String scale =
                "{\"kind\":\"Scale\",\"apiVersion\":\"autoscaling/v1\",\"metadata\":{\"namespace\":\"prod\",\"name\":\"a\","
                + "\"resourceVersion\":\"1\"},\"spec\":{\"replicas\":%d}}";
        server.then(200, scale.formatted(3)).then(200, scale.formatted(0));
        ResourceClient.Subresource<V1Scale> scaling = client.resources(ResourceType.of(V1Deployment.class)).scale();
        StepVerifier.create(scaling.get(KEY).map(now -> now.getSpec().getReplicas())).expectNext(3).expectComplete().verify(LIMIT);
        V1Scale none = new V1Scale().metadata(new V1ObjectMeta().name("a").namespace("prod")).spec(new V1ScaleSpec().replicas(0));
        scaling.update(KEY, none).block(LIMIT);
        server.verifyAsked("GET /apis/apps/v1/namespaces/prod/deployments/a/scale",
                "PUT /apis/apps/v1/namespaces/prod/deployments/a/scale");
        assertThat(sent()).isEqualTo(json("""
                {"apiVersion":"autoscaling/v1","kind":"Scale","metadata":{"name":"a","namespace":"prod"},"spec":{"replicas":0}}"""));
    }

    @Test
    void anyOtherSubresourceIsSpokenToInItsOwnType() {
        server.then(201, "{\"kind\":\"Status\",\"metadata\":{},\"status\":\"Success\"}");
        ResourceType<JsonNode> eviction = ResourceType.dynamic("policy", "v1", "evictions").kind("Eviction", ResourceType.Scope.NAMESPACED);
        client.resources(ResourceType.dynamic("", "v1", "pods")).subresource("eviction", eviction)
                .create(KEY, json("{\"metadata\":{\"name\":\"a\"}}"), WriteOptions.defaults()).block(LIMIT);
        server.verifyAsked("POST /api/v1/namespaces/prod/pods/a/eviction");
        assertThat(new String(server.requests().get(0).body(), StandardCharsets.UTF_8))
                .isEqualTo("{\"apiVersion\":\"policy/v1\",\"kind\":\"Eviction\",\"metadata\":{\"name\":\"a\"}}");
    }
}
