package io.reactiveinformer.client;

import io.netty.buffer.Unpooled;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

class PodLogsTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final ObjectKey POD = ObjectKey.of("prod", "web-0");

    private final ScriptedTransport server = new ScriptedTransport();
    private final KubernetesClient client = KubernetesClient.over(server);

    private Flux<String> logs(LogOptions options) {
        return client.logs(POD, options);
    }

    @Test
    void givesLineByLineAsItIsWritten() {
        server.then(200, Flux.just("one\ntw", "o\n\nfo", "ur").concatWith(Flux.never()), "Content-Type", "text/plain");
        StepVerifier.create(logs(LogOptions.defaults().withFollow())).expectNext("one", "two", "").thenCancel().verify(LIMIT);
        assertThat(server.requests().get(0).silence()).as("a quiet container is not a dead connection").isGreaterThan(Duration.ofDays(7));
    }

    @Test
    void theLastLineNeedsNoEnd() {
        server.then(200, Flux.just("one\r\n", "two"));
        StepVerifier.create(logs(LogOptions.defaults())).expectNext("one", "two").expectComplete().verify(LIMIT);
        server.reset();
        server.then(200, Flux.empty());
        StepVerifier.create(logs(LogOptions.defaults())).expectComplete().verify(LIMIT);
    }

    @Test
    void readsNoFurtherThanIsAskedFor() {
        var read = new ArrayList<String>();
        server.then(200, Flux.just("1\n2\n", "3\n", "4\n", "5\n").doOnNext(read::add));
        StepVerifier.create(logs(LogOptions.defaults()), 2).expectNext("1", "2").thenCancel().verify(LIMIT);
        assertThat(read).hasSizeLessThan(4);
    }

    @Test
    void asksForThePartThatIsMeant() {
        server.then(200, "");
        logs(LogOptions.defaults().withContainer("a b").withFollow().withPrevious().withSince(Duration.ofMillis(1500))
                .withTailLines(0).withTimestamps()
                .withLimitBytes(9)).blockLast(LIMIT);
        logs(LogOptions.defaults()).blockLast(LIMIT);
        server.verifyAsked(
                "GET "
                        + "/api/v1/namespaces/prod/pods/web-0/log?container=a+b&follow=true&previous=true&sinceSeconds=2&tailLines=0"
                        + "&timestamps=true&limitBytes=9",
                "GET /api/v1/namespaces/prod/pods/web-0/log");
    }

    @Test
    void aContainerThatHasNotBegunIsARefusal() {
        server.then(400, "{\"kind\":\"Status\",\"code\":400,\"message\":\"container \\\"a\\\" is waiting to start\"}");
        StepVerifier.create(logs(LogOptions.defaults()))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(InvalidRequestException.class)
                        .hasMessageContaining("cannot logs pods.v1/log prod/web-0")
                        .hasMessageContaining("is waiting to start"))
                .verify(LIMIT);
    }

    @Test
    void aCharacterMayStandInTwoPieces() {
        byte[] text = "grüße ☕ 🚀\nnext".getBytes(StandardCharsets.UTF_8);
        for (int cut = 0; cut <= text.length; cut++) {
            var lines = new PodLogs.Lines();
            List<String> read = new ArrayList<>(lines.add(Unpooled.wrappedBuffer(text, 0, cut)));
            read.addAll(lines.add(Unpooled.wrappedBuffer(text, cut, text.length - cut)));
            read.add(lines.rest());
            assertThat(read).as("cut at %d", cut).containsExactly("grüße ☕ 🚀", "next");
        }
    }

    @Test
    void aLineWithoutEndComesInPieces() {
        var lines = new PodLogs.Lines();
        byte[] endless = "x".repeat(PodLogs.Lines.LONGEST * 2 + 3).getBytes(StandardCharsets.UTF_8);
        assertThat(lines.add(Unpooled.wrappedBuffer(endless))).extracting(String::length)
                .containsExactly(PodLogs.Lines.LONGEST, PodLogs.Lines.LONGEST);
        assertThat(lines.rest()).hasSize(3);
    }
}
