package io.reactiveinformer.client;

import io.kubernetes.client.openapi.models.V1ConfigMap;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.resource.UnreadableObjectException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** How large and how deep an answer may be; what is beyond is a failure of its own type, or one object that is reported as unreadable. */
class LimitsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ObjectKey KEY = ObjectKey.of("ns", "a");
    private static final int LARGEST = 10_000;

    private final ScriptedTransport server = new ScriptedTransport();
    private final KubernetesClient client = KubernetesClient.over(server, ClientOptions.defaults().withLargestObject(LARGEST));

    /** A class, which has no property for what is deep, and a tree, which takes everything. */
    static Stream<ResourceType<?>> types() {
        return Stream.of(ResourceType.of(V1ConfigMap.class), ResourceType.dynamic("", "v1", "configmaps"));
    }

    static Stream<Arguments> beyond() {
        String deep = "{\"a\":".repeat(10_000) + "1" + "}".repeat(10_000);
        String deepLists = "[".repeat(10_000) + "]".repeat(10_000);
        return types().flatMap(type -> Stream.of(
                Arguments.of(type, deep, "nested deeper than 500"),
                Arguments.of(type, deepLists, "nested deeper than 500"),
                Arguments.of(type, "\"" + "x".repeat(LARGEST) + "\"", "larger than 9 KiB")));
    }

    private static String object(String name, String property) {
        return "{\"metadata\":{\"namespace\":\"ns\",\"name\":\"" + name + "\",\"uid\":\"u\",\"resourceVersion\":\"7\"},\"property\":"
                + property + "}";
    }

    /** Deep ones are larger than {@link #LARGEST}, too. */
    private ResourceClient<?> resources(ResourceType<?> type, String limit) {
        return (limit.startsWith("nested") ? KubernetesClient.over(server) : client).resources(type);
    }

    @ParameterizedTest
    @MethodSource("beyond")
    void anItemOfAListIsReportedAsUnreadableAndTheOthersGoOn(ResourceType<?> type, String property, String limit) {
        server.then(200, "{\"metadata\":{\"resourceVersion\":\"8\"},\"items\":[" + object("a", property) + "," + object("b", "1") + "]}");
        List<? extends ObjectEvent<?>> events = resources(type, limit).list(Namespaces.all(), ListOptions.defaults(), Reading.anew())
                .collectList().block(LIMIT);
        assertThat(events).hasSize(3);
        assertThat(events.get(0)).isInstanceOfSatisfying(ObjectEvent.Unreadable.class, item -> {
            assertThat(item.key()).isEqualTo(KEY);
            assertThat(item.failure()).hasMessageContaining("ns/a").hasMessageContaining(limit);
        });
        assertThat(events.get(1)).isInstanceOf(ObjectEvent.Applied.class);
        assertThat(events.get(2)).isInstanceOf(ObjectEvent.PageEnd.class);
    }

    @ParameterizedTest
    @MethodSource("beyond")
    void anEventOfAWatchIsReportedAsUnreadableAndTheOthersGoOn(ResourceType<?> type, String property, String limit) {
        server.then(200, Stream.of(object("a", property), object("b", "1"))
                .map(object -> "{\"type\":\"ADDED\",\"object\":" + object + "}\n").reduce("", String::concat));
        List<? extends ObjectEvent<?>> events = resources(type, limit)
                .watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(5)), Reading.anew()).skip(1).collectList().block(LIMIT);
        assertThat(events).hasSize(2);
        assertThat(events.get(0)).isInstanceOfSatisfying(ObjectEvent.Unreadable.class, event -> {
            assertThat(event.key()).isEqualTo(KEY);
            assertThat(event.resourceVersion()).isEqualTo("7");
            assertThat(event.failure()).hasMessageContaining(limit);
        });
        assertThat(events.get(1)).isInstanceOf(ObjectEvent.Applied.class);
    }

    @ParameterizedTest
    @MethodSource("beyond")
    void aSingleObjectIsAFailure(ResourceType<?> type, String property, String limit) {
        server.then(200, object("a", property));
        assertThatThrownBy(() -> resources(type, limit).get(KEY).block(LIMIT))
                .isInstanceOfAny(UnreadableObjectException.class, UnexpectedAnswerException.class)
                .hasMessageContaining(limit).hasMessageNotContaining("StreamReadConstraints");
    }

    @ParameterizedTest
    @MethodSource("beyond")
    void aRefusalIsARefusalWhateverStandsInIt(ResourceType<?> type, String property, String limit) {
        server.then(403, "{\"kind\":\"Status\",\"code\":403,\"message\":\"no\",\"details\":{\"x\":" + property + "}}");
        assertThatThrownBy(() -> resources(type, limit).get(KEY).block(LIMIT)).isInstanceOf(ForbiddenException.class)
                .hasMessageContaining("no");
        server.reset();
        server.then(403, property);
        assertThatThrownBy(() -> resources(type, limit).get(KEY).block(LIMIT))
                .isInstanceOf(ForbiddenException.class).satisfies(failure -> assertThat(failure.getMessage()).hasSizeLessThan(3_000));
    }

    @ParameterizedTest
    @MethodSource("beyond")
    void anErrorEventIsAFailureWhateverStandsInIt(ResourceType<?> type, String property, String limit) {
        server.then(200, "{\"type\":\"ERROR\",\"object\":{\"kind\":\"Status\",\"code\":403,\"message\":\"no\",\"details\":{\"x\":"
                + property + "}}}\n");
        Flux<?> watch = resources(type, "nested").watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(5)), Reading.anew());
        StepVerifier.create(watch.skip(1)).expectError(ForbiddenException.class).verify(LIMIT);
    }

    @Test
    void aDocumentIsAFailure() {
        server.then(200, "[".repeat(600) + "]".repeat(600));
        assertThatThrownBy(() -> client.raw().json("/x").block(LIMIT))
                .isInstanceOf(UnexpectedAnswerException.class).hasMessage("the answer cannot be read: it is nested deeper than 500");
        for (Mono<?> whole : List.of(client.raw().json("/x"), client.raw().text("/x"), client.discovery().find("pods"))) {
            server.reset();
            server.then(200, Flux.just("\"" + "x".repeat(LARGEST)).repeat(3));
            assertThatThrownBy(() -> whole.block(LIMIT))
                    .isInstanceOf(UnexpectedAnswerException.class).hasMessage("the answer is larger than 9 KiB");
        }
    }

    /** It says what was deleted, which nobody asked for. */
    @Test
    void theAnswerToADeletionIsReadForABitOnly() {
        var read = new AtomicLong();
        var leftUnread = new AtomicBoolean();
        Flux<String> endless = Flux.just("x".repeat(64 << 10)).repeat().doOnNext(text -> read.addAndGet(text.length()))
                .doOnCancel(() -> leftUnread.set(true));
        server.then(200, endless);
        ResourceClient<V1ConfigMap> configMaps = client.resources(ResourceType.of(V1ConfigMap.class));
        StepVerifier.create(configMaps.delete(KEY)).expectComplete().verify(LIMIT);
        StepVerifier.create(configMaps.deleteAll(Namespaces.of("ns"), ListOptions.defaults(), DeleteOptions.defaults()))
                .expectComplete().verify(LIMIT);
        assertThat(read.get()).isBetween(2L << 20, 3L << 20);
        assertThat(leftUnread).isTrue();
    }

    @Test
    void aLimitIsAPossibleOne() {
        for (int bytes : new int[] {0, 1023, Integer.MAX_VALUE}) {
            assertThatThrownBy(() -> ClientOptions.defaults().withLargestObject(bytes))
                    .hasMessage("largestObject must be 1 KiB to 1 GiB, was " + bytes);
        }
        assertThat(ClientOptions.defaults().largestObject()).isEqualTo(ObjectCodec.LARGEST_OBJECT);
    }
}
