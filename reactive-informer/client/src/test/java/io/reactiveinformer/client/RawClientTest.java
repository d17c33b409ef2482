package io.reactiveinformer.client;

import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.UnexpectedAnswerException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class RawClientTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);

    private final ScriptedTransport server = new ScriptedTransport();
    private final RawClient raw = KubernetesClient.over(server).raw();

    @Test
    void readsTextOfAnyKind() {
        server.then(200, "ok", "Content-Type", "text/plain").then(200, "", "Content-Type", "text/plain");
        StepVerifier.create(raw.text("/readyz?verbose")).expectNext("ok").expectComplete().verify(LIMIT);
        StepVerifier.create(raw.text("/readyz")).expectNext("").expectComplete().verify(LIMIT);
        server.verifyAsked("GET /readyz?verbose", "GET /readyz");
    }

    @Test
    void readsJson() {
        server.then(200, "{\"major\":\"1\"}", "Content-Type", "Application/JSON; charset=utf-8")
                .then(200, "<html>", "Content-Type", "text/html");
        StepVerifier.create(raw.json("/version").map(version -> version.path("major").asString()))
                .expectNext("1").expectComplete().verify(LIMIT);
        StepVerifier.create(raw.json("/version"))
                .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(UnexpectedAnswerException.class)
                        .hasMessageContaining("cannot raw /version"))
                .verify(LIMIT);
    }

    @Test
    void sendsWhatIsGivenAndReadsWhatIsAnswered() {
        server.then(201, "{\"done\":true}").then(204, "").then(200, "", "Content-Length", "0");
        StepVerifier.create(raw.send("POST", "/apis/x/v1/y", Map.of("a", 1)).map(answer -> answer.path("done").asBoolean()))
                .expectNext(true).expectComplete().verify(LIMIT);
        StepVerifier.create(raw.send("DELETE", "/apis/x/v1/y/z", null)).expectComplete().verify(LIMIT);
        StepVerifier.create(raw.send("PUT", "/apis/x/v1/y/z", Map.of())).expectComplete().verify(LIMIT);
        server.verifyAsked("POST /apis/x/v1/y", "DELETE /apis/x/v1/y/z", "PUT /apis/x/v1/y/z");
        assertThat(new String(server.requests().get(0).body(), StandardCharsets.UTF_8)).isEqualTo("{\"a\":1}");
        assertThat(server.requests().get(0).headers().first("Content-Type")).contains("application/json");
        assertThat(server.requests().get(1).body()).isNull();
    }

    @Test
    void givesABodyAsItArrives() {
        server.then(200, Flux.just("a", "b").concatWith(Flux.never()), "Content-Type", "application/octet-stream");
        HttpRequest request = new HttpRequest("GET", "/stream", Headers.of("Accept", "x/y"), null, Duration.ofDays(1));
        StepVerifier.create(raw.exchange(request).map(bytes -> new String(bytes, StandardCharsets.UTF_8)))
                .expectNext("a", "b").thenCancel().verify(LIMIT);
        assertThat(server.requests().get(0).headers().all("Accept")).containsExactly("x/y");
        assertThat(server.requests().get(0).silence()).isEqualTo(Duration.ofDays(1));
    }

    @Test
    void aRefusalIsTheSameAsElsewhere() {
        server.then(404, "404 page not found", "Content-Type", "text/plain");
        StepVerifier.create(raw.text("/nowhere?token=s3cret"))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(NotFoundException.class).hasMessageContaining("cannot raw /nowhere by GET")
                        .hasMessageNotContaining("s3cret"))
                .verify(LIMIT);
    }

    /** Wherever it points, nobody goes there, and so no credentials do. */
    @Test
    void aRedirectIsARefusal() {
        server.then(307, "", "Location", "https://elsewhere/x", "Content-Length", "0");
        StepVerifier.create(raw.text("/x"))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOfSatisfying(StatusException.class, refusal -> assertThat(refusal.code()).isEqualTo(307)))
                .verify(LIMIT);
        server.verifyAsked("GET /x");
    }

    @ParameterizedTest
    @ValueSource(strings = {"version", "http://elsewhere/", "/a b", "/a\nHost: elsewhere", "/é", "/a#b"})
    void whatIsNoPathIsNotSent(String path) {
        server.then(200, "ok");
        StepVerifier.create(raw.text(path)).expectError(IllegalArgumentException.class).verify(LIMIT);
        assertThat(server.requests()).isEmpty();
    }
}
