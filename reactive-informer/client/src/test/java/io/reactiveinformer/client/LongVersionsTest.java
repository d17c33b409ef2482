package io.reactiveinformer.client;

import io.kubernetes.client.openapi.models.V1Pod;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What a server calls a version stands in messages, in the status and in the next URL, as long as it may be one. */
class LongVersionsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String POD = "{\"metadata\":{\"name\":\"a\",\"namespace\":\"n\",\"uid\":\"u\",\"resourceVersion\":\"%s\"}}";

    private final ScriptedTransport server = new ScriptedTransport();
    private final ResourceClient<V1Pod> pods = KubernetesClient.over(server).resources(ResourceType.of(V1Pod.class));

    private static String digits(int count) {
        return "7".repeat(count);
    }

    @ParameterizedTest
    @ValueSource(ints = {1025, 100_000})
    void aListWhoseVersionCannotBeOneIsNoList(int length) {
        server.then(200, list(length, 0));
        StepVerifier.create(pods.list(Namespaces.all(), ListOptions.defaults(), Reading.anew()))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(UnexpectedAnswerException.class)
                        .hasMessage("the list of pods.v1 has a resourceVersion of " + length + " characters; expected 1024 at most"))
                .verify(LIMIT);
    }

    private static String list(int version, int token) {
        return "{\"kind\":\"PodList\",\"metadata\":{\"resourceVersion\":\"" + digits(version)
                + "\",\"continue\":\"" + digits(token) + "\"},\"items\":[]}";
    }

    @Test
    void aTokenThatCannotBeOneIsNotSent() {
        server.then(200, list(3, 16_385));
        StepVerifier.create(pods.listAll(Namespaces.all(), ListOptions.defaults()))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(UnexpectedAnswerException.class)
                        .hasMessage("cannot list pods.v1 in all namespaces: a continue token has 16385 characters; expected 16384 at most"))
                .verify(LIMIT);
        assertThat(server.requests()).hasSize(1);
    }

    /** Servers that serve the objects of many have versions of all of these in one, of 250 characters and more. */
    @ParameterizedTest
    @ValueSource(ints = {250, 1024})
    void versionsOfAnyLengthThatMayBeAreKept(int length) {
        server.then(200, list(length, 20_000));
        StepVerifier.create(pods.list(Namespaces.all(), ListOptions.defaults(), Reading.anew()))
                .expectNext(new ObjectEvent.PageEnd<>(digits(length), digits(20_000))).expectComplete().verify(LIMIT);
    }

    @ParameterizedTest
    @ValueSource(ints = {250, 1024})
    void soAreThoseOfEvents(int length) {
        server.then(200, "{\"type\":\"ADDED\",\"object\":" + POD.formatted(digits(length)) + "}\n"
                + "{\"type\":\"BOOKMARK\",\"object\":" + POD.formatted(digits(length)) + "}\n");
        StepVerifier.create(pods.watch(Namespaces.all(), WatchOptions.from(digits(length), Duration.ofMinutes(5)), Reading.anew()))
                .expectNextMatches(ObjectEvent.Opened.class::isInstance)
                .assertNext(event -> assertThat(((ObjectEvent.Applied<V1Pod>) event).entry().resourceVersion()).isEqualTo(digits(length)))
                .assertNext(event -> assertThat(event.resourceVersion()).isEqualTo(digits(length)))
                .expectComplete()
                .verify(LIMIT);
    }

    /** What has no version is doubt to a reflector, which then lists. */
    @Test
    void anEventWhoseVersionCannotBeOneHasNone() {
        server.then(200, "{\"type\":\"ADDED\",\"object\":" + POD.formatted(digits(100_000)) + "}\n"
                + "{\"type\":\"BOOKMARK\",\"object\":" + POD.formatted(digits(100_000)) + "}\n");
        StepVerifier.create(pods.watch(Namespaces.all(), WatchOptions.from("5", Duration.ofMinutes(5)), Reading.anew()))
                .expectNextMatches(ObjectEvent.Opened.class::isInstance)
                .assertNext(event -> assertThat(((ObjectEvent.Applied<V1Pod>) event).entry().resourceVersion()).isNull())
                .assertNext(event -> assertThat(((ObjectEvent.Unreadable<V1Pod>) event).failure())
                        .hasMessage("a bookmark of pods.v1 has no resourceVersion that could be one"))
                .expectComplete()
                .verify(LIMIT);
    }
}
