package io.reactiveinformer.laws.scale;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.Rounds;
import io.reactiveinformer.test.scale.ChildJvm;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 25 in a process of 64 MB: one of five informers lists new objects for ever, in pages or as a stream. */
@Timeout(300)
@Tag("long")
class EndlessListTest {

    private static final int AT_ONCE = 100;
    private static final String LIST =
            "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"metadata\":{\"resourceVersion\":\"7\"},\"items\":[";

    @ParameterizedTest
    @ValueSource(strings = {"-XX:+UseG1GC", "-XX:+UseSerialGC"})
    void aListThatFillsTheHeapIsANamedFailure(String collector) {
        Rounds.assumeThorough();
        DisposableServer server = HttpServer.create().port(0).handle(EndlessListTest::answer).bindNow();
        try {
            ChildJvm.Result result = ChildJvm.run(
                    EndlessList.class, List.of("-Xmx64m", "-XX:+ExitOnOutOfMemoryError", collector), Duration.ofMinutes(4),
                    "http://localhost:" + server.port());
            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(result.output()).doesNotContain("OutOfMemoryError");
            for (String how : List.of("pages", "stream")) {
                assertThat(result.value(how)).as(result.output())
                        .contains("cannot list configmaps.v1 in namespace ns-" + how + ": the heap of this process is full");
                assertThat(result.value("beside-" + how)).as(result.output()).isEqualTo("[LIVE, LIVE, LIVE, LIVE]");
            }
        } finally {
            server.disposeNow();
        }
    }

    private static Publisher<Void> answer(HttpServerRequest request, HttpServerResponse response) {
        boolean streamed = request.uri().contains("sendInitialEvents");
        if (request.uri().contains("/ns-stream/") && streamed) {
            return response.send(objects("ns-stream", "{\"type\":\"ADDED\",\"object\":", "}\n"), buffer -> true);
        }
        if (!request.uri().contains("/configmaps?") || streamed) {
            return response.status(streamed ? 400 : 404).send();
        }
        if (request.uri().contains("watch=")) {
            return response.sendHeaders().then().then(Mono.never());
        }
        if (request.uri().contains("/ns-pages/")) {
            return response.send(text(LIST).concatWith(objects("ns-pages", "", ",")), buffer -> true);
        }
        return response.send(text(LIST + "]}"));
    }

    private static Flux<ByteBuf> text(String text) {
        return Flux.just(Unpooled.copiedBuffer(text, StandardCharsets.UTF_8));
    }

    private static Flux<ByteBuf> objects(String namespace, String before, String after) {
        return Flux.range(0, Integer.MAX_VALUE).map(many -> {
            var some = new StringBuilder();
            for (int i = 0; i < AT_ONCE; i++) {
                String name = many + "-" + i;
                some.append(before).append("{\"kind\":\"ConfigMap\",\"apiVersion\":\"v1\",\"metadata\":{\"namespace\":\"").append(namespace)
                        .append("\",\"name\":\"n").append(name).append("\",\"uid\":\"u").append(name)
                        .append("\",\"resourceVersion\":\"6\"},\"data\":{\"a\":\"").append(name).append("x".repeat(200))
                        .append("\"}}").append(after);
            }
            return Unpooled.copiedBuffer(some, StandardCharsets.UTF_8);
        });
    }
}
