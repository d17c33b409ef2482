package io.reactiveinformer.internal.readers;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.client.ClientOptions;
import io.reactiveinformer.client.KubernetesClient;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.ScriptedTransport;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.transport.TransportOptions;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** With readers of protocol buffers, these are requested, and JSON while they are not understood. */
class ProtobufVerbsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ObjectKey KEY = ObjectKey.of("prod", "a");
    private static final String OBJECT = "{\"metadata\":{\"namespace\":\"prod\",\"name\":\"a\",\"resourceVersion\":\"1\"}}";
    private static final String LIST = "{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[]}";

    private final ScriptedTransport server = new ScriptedTransport();
    private final KubernetesClient client = KubernetesClient.over(server);
    private final ResourceClient<V1ConfigMap> configMaps = client.resources(ResourceType.of(V1ConfigMap.class));

    /** A proxy on the way damages them, or drops the header that says what they are: for a minute, then for two. */
    @Test
    void requestsJsonForAWhileAfterAnAnswerThatIsNotUnderstood() {
        var timer = VirtualTimeScheduler.create();
        ClientOptions options = ClientOptions.defaults().withTransport(TransportOptions.defaults().withSilence(LIMIT, timer));
        try (KubernetesClient timed = KubernetesClient.over(server, options)) {
            Flux<?> list = timed.resources(ResourceType.of(V1ConfigMap.class))
                    .list(Namespaces.all(), ListOptions.defaults(), Reading.anew());
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
        Flux<?> lists = configMaps.list(Namespaces.all(), ListOptions.defaults(), Reading.anew());
        StepVerifier.create(lists).expectError(KubernetesException.class).verify(LIMIT);
        StepVerifier.create(lists).expectNextCount(1).expectComplete().verify(LIMIT);
        assertThat(server.requests().get(1).headers().first("Accept")).hasValue("application/json");
    }

    /** What follows would never be read, as the length asks for more. */
    @Test
    void requestsJsonAfterAWatchThatEndsWithinAnEvent() {
        server.then(200, "\0\0\0P\n\u0003", "Content-Type", "application/vnd.kubernetes.protobuf;stream=watch")
                .then(200, "", "Content-Type", "application/json");
        Flux<?> watches = configMaps.watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(1)), Reading.anew());
        StepVerifier.create(watches).expectNextCount(1).expectError(TransportException.class).verify(LIMIT);
        StepVerifier.create(watches).expectNextCount(1).expectComplete().verify(LIMIT);
        assertThat(server.requests().get(1).headers().first("Accept")).hasValue("application/json");
    }

    /** A page of a proxy that demands a login is no reason. */
    @Test
    void requestsProtocolBuffersAgainAfterAPageOfHtml() {
        server.then(200, "<html>", "Content-Type", "text/html").then(200, LIST, "Content-Type", "application/json");
        Flux<?> list = configMaps.list(Namespaces.all(), ListOptions.defaults(), Reading.anew());
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
        Flux.concat(configMaps.list(Namespaces.all(), ListOptions.defaults(), Reading.anew()),
                configMaps.watch(Namespaces.all(), from, Reading.anew()), configMaps.get(KEY),
                widgets.list(Namespaces.all(), ListOptions.defaults(), Reading.anew()),
                        widgets.watch(Namespaces.all(), from, Reading.anew()),
                names.list(Namespaces.all(), ListOptions.defaults(), Reading.anew()), names.watch(Namespaces.all(), from, Reading.anew()))
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
}
