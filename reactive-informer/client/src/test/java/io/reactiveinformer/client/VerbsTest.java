package io.reactiveinformer.client;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.kubernetes.client.openapi.models.V1Deployment;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Scale;
import io.kubernetes.client.openapi.models.V1ScaleSpec;
import io.reactiveinformer.resource.ConflictException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.PartialObjectMetadata;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Selector;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.transport.TransportOptions;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;
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
        configMaps.list(Namespaces.of("prod"), all, Known.none()).blockLast(LIMIT);
        configMaps.list(Namespaces.all(), all.withContinue("token"), Known.none()).blockLast(LIMIT);
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

    /** 236: TestWatchUnknownContentType. */
    @Test
    void aWatchThatIsNoJsonIsToldFromAnEmptyOne() {
        KubernetesClient json = KubernetesClient.over(server, ClientOptions.defaults().withProtobuf(false));
        for (var maps : List.of(configMaps, json.resources(ResourceType.of(V1ConfigMap.class)))) {
            server.then(200, "k8s", "Content-Type", maps == configMaps
                    ? "application/cbor-seq" : "application/vnd.kubernetes.protobuf;stream=watch");
            StepVerifier.create(maps.watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(1)), Known.none()))
                    .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(UnexpectedAnswerException.class)
                            .hasMessageContaining("expected JSON"))
                    .verify(LIMIT);
        }
        json.close();
    }

    /** A proxy on the way damages them, or drops the header that says what they are: for a minute, then for two. */
    @Test
    void requestsJsonForAWhileAfterAnAnswerThatIsNotUnderstood() {
        var timer = VirtualTimeScheduler.create();
        ClientOptions options = ClientOptions.defaults().withTransport(TransportOptions.defaults().withSilence(LIMIT, timer));
        try (KubernetesClient timed = KubernetesClient.over(server, options)) {
            Flux<?> list = timed.resources(ResourceType.of(V1ConfigMap.class))
                    .list(Namespaces.all(), ListOptions.defaults(), Known.none());
            String damaged = "k8s\0\u0012";
            Sinks.Empty<String> late = Sinks.empty();
            server.then(200, late.asMono().flux().concatWith(Flux.just(damaged))).then(200, damaged).then(200, LIST).then(200, damaged)
                    .then(200, LIST).then(200, damaged);
            StepVerifier begunBefore = StepVerifier.create(list).expectError(UnexpectedAnswerException.class).verifyLater();
            StepVerifier.create(list).verifyError(UnexpectedAnswerException.class);
            timer.advanceTimeBy(Duration.ofSeconds(59));
            StepVerifier.create(list).expectNextCount(1).verifyComplete();
            timer.advanceTimeBy(Duration.ofSeconds(1));
            late.tryEmitEmpty();
            begunBefore.verify(LIMIT); // it was requested before the pause, and begins none
            StepVerifier.create(list).verifyError(UnexpectedAnswerException.class);
            timer.advanceTimeBy(Duration.ofSeconds(119));
            StepVerifier.create(list).expectNextCount(1).verifyComplete();
            timer.advanceTimeBy(Duration.ofSeconds(1));
            StepVerifier.create(list).verifyError(UnexpectedAnswerException.class);
        }
        String either = "application/vnd.kubernetes.protobuf,application/json";
        String json = "application/json";
        assertThat(server.requests()).extracting(request -> request.headers().first("Accept").orElse("none"))
                .containsExactly(either, either, json, either, json, either);
    }

    /** Whatever a proxy does to what it does not know. */
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            200 | application/vnd.kubernetes.protobuf | a list that ends before its length
            200 | application/octet-stream            | an answer with another content type
            406 | application/json                    | a refusal of what is accepted
            415 | application/json                    | a refusal of the media type
            """)
    void requestsJsonAfter(int status, String contentType) {
        String list = "k8s\0\n\u0013\n\u0002v1\u0012\rConfigMapList\u0012P\n\u0003";
        server.then(status, status == 200 ? list : "{\"kind\":\"Status\",\"code\":" + status + "}", "Content-Type", contentType)
                .then(200, LIST, "Content-Type", "application/json");
        Flux<?> lists = configMaps.list(Namespaces.all(), ListOptions.defaults(), Known.none());
        StepVerifier.create(lists).expectError(KubernetesException.class).verify(LIMIT);
        StepVerifier.create(lists).expectNextCount(1).expectComplete().verify(LIMIT);
        assertThat(server.requests().get(1).headers().first("Accept")).hasValue("application/json");
    }

    /** What follows would never be read, as the length asks for more. */
    @Test
    void requestsJsonAfterAWatchThatEndsWithinAnEvent() {
        server.then(200, "\0\0\0P\n\u0003", "Content-Type", "application/vnd.kubernetes.protobuf;stream=watch")
                .then(200, "", "Content-Type", "application/json");
        Flux<?> watches = configMaps.watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(1)), Known.none());
        StepVerifier.create(watches).expectNextCount(1).expectError(TransportException.class).verify(LIMIT);
        StepVerifier.create(watches).expectNextCount(1).expectComplete().verify(LIMIT);
        assertThat(server.requests().get(1).headers().first("Accept")).hasValue("application/json");
    }

    @Test
    void ofPartialObjectMetadataRequestsTheMetadataAlone() {
        server.then(200, LIST).then(200, "");
        var names = client.resources(ResourceType.of(V1ConfigMap.class).as(PartialObjectMetadata.class));
        names.list(Namespaces.all(), ListOptions.defaults(), Known.none()).blockLast(LIMIT);
        names.watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(1)), Known.none()).blockLast(LIMIT);
        assertThat(server.requests())
                .allMatch(request -> request.headers().first("Accept").orElse("").contains(";as=PartialObjectMetadata"));
    }

    /** A page of a proxy that demands a login is no reason. */
    @Test
    void requestsProtocolBuffersAgainAfterAPageOfHtml() {
        server.then(200, "<html>", "Content-Type", "text/html").then(200, LIST, "Content-Type", "application/json");
        Flux<?> list = configMaps.list(Namespaces.all(), ListOptions.defaults(), Known.none());
        StepVerifier.create(list).verifyError(UnexpectedAnswerException.class);
        StepVerifier.create(list).expectNextCount(1).verifyComplete();
        assertThat(server.requests()).allMatch(request -> request.headers().first("Accept").orElse("none").contains("protobuf"));
    }

    @Test
    void requestsProtocolBuffersOfBuiltInTypesOnly() {
        var from = WatchOptions.from("1", Duration.ofMinutes(1));
        var widgets = client.resources(ResourceType.dynamic("example.com", "v1", "widgets"));
        var names = client.resources(ResourceType.metadata("example.com", "v1", "widgets"));
        server.then(200, LIST).then(200, "").then(200, OBJECT).then(200, LIST).then(200, "").then(200, LIST).then(200, "");
        Flux.concat(configMaps.list(Namespaces.all(), ListOptions.defaults(), Known.none()),
                configMaps.watch(Namespaces.all(), from, Known.none()), configMaps.get(KEY),
                widgets.list(Namespaces.all(), ListOptions.defaults(), Known.none()), widgets.watch(Namespaces.all(), from, Known.none()),
                names.list(Namespaces.all(), ListOptions.defaults(), Known.none()), names.watch(Namespaces.all(), from, Known.none()))
                .blockLast(LIMIT);
        String json = "application/json";
        String either = "application/vnd.kubernetes.protobuf,application/json";
        assertThat(server.requests()).extracting(request -> request.headers().first("Accept").orElse("none")).containsExactly(
                either, either, json, json, json,
                "application/vnd.kubernetes.protobuf;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,"
                        + "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json",
                "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
                        + "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json");
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
