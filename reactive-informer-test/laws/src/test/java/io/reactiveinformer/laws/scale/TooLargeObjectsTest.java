package io.reactiveinformer.laws.scale;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.reactiveinformer.test.scale.ChildJvm;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 25 in a process of 96 MB: objects of 40 MB, which are forty kilobytes of gzip, are offered to six informers at once. */
@Timeout(300)
class TooLargeObjectsTest {

    private static final int INFORMERS = 8;
    /** Of them, so many are offered one in their list, and as many in their watch. The others are as usual. */
    private static final int OFFERED = 3;

    private static final int MEGABYTES = 40;

    @Test
    void whatIsTooLargeForTheHeapIsAnUnreadableObject() {
        assertThat(gzip("", "", MEGABYTES).length).as("bytes of gzip").isLessThan(64 << 10);
        DisposableServer server = HttpServer.create().port(0).handle(TooLargeObjectsTest::answer).bindNow();
        try {
            ChildJvm.Result result = ChildJvm.run(
                    TooLargeObjects.class, List.of("-Xmx96m", "-XX:+ExitOnOutOfMemoryError"), Duration.ofMinutes(4), "http://localhost:"
                            + server.port(), String.valueOf(INFORMERS));
            assertThat(result.exitCode()).as(result.output()).isZero();
            assertThat(result.output()).doesNotContain("OutOfMemoryError");
            for (int number = 0; number < INFORMERS; number++) {
                String status = result.value("ns-" + number);
                assertThat(status).as(result.output()).startsWith("LIVE ");
                assertThat(status).as(result.output()).contains(number < 2 * OFFERED ? "cannot read configmaps.v1 ns-" + number
                        + "/large: it is larger than 3072 KiB" : "{}");
            }
        } finally {
            server.disposeNow();
        }
    }

    private static Publisher<Void> answer(HttpServerRequest request, HttpServerResponse response) {
        int number = IntStream.range(0, INFORMERS).filter(i -> request.uri().contains("/ns-" + i + "/")).findFirst().orElse(-1);
        boolean watched = request.uri().contains("watch=");
        if (number < 0 || !request.uri().contains("/configmaps?")) {
            return response.status(404).send();
        }
        String before = "{\"metadata\":{\"namespace\":\"ns-" + number + "\",\"name\":\"@\",\"uid\":\"u-@\",\"resourceVersion\":\""
                + (watched ? 8 : 5) + "\"},\"data\":{\"a\":\"";
        String after = "\"}}";
        response.header("Content-Type", "application/json");
        if (!watched) {
            boolean large = number < OFFERED;
            boolean last = number < OFFERED || number >= 2 * OFFERED;
            String rest = after + (last ? "," + before.replace("@", "last") + after : "") + "],\"metadata\":{\"resourceVersion\":\"7\"}}";
            String start = "{\"kind\":\"ConfigMapList\",\"apiVersion\":\"v1\",\"items\":[" + before.replace("@", large ? "large" : "small");
            return response.header("Content-Encoding", "gzip").send(Mono.just(Unpooled.wrappedBuffer(gzip(start, rest, large ? MEGABYTES
                    : 0))));
        }
        if (number < OFFERED || number >= 2 * OFFERED) {
            return response.sendHeaders().then().then(Mono.never());
        }
        String event = "{\"type\":\"ADDED\",\"object\":";
        byte[] events = gzip(event + before.replace("@", "large"), after + "}\n" + event
                + before.replace("@", "last").replace("\"8\"", "\"9\"") + after + "}\n", MEGABYTES);
        Flux<ByteBuf> endless = Flux.just(Unpooled.wrappedBuffer(events)).concatWith(Flux.never());
        return response.header("Content-Encoding", "gzip").send(endless, buffer -> true);
    }

    /** In between, so many megabytes. What goes on later is flushed. */
    private static byte[] gzip(String before, String after, int megabytes) {
        var zipped = new ByteArrayOutputStream();
        try {
            var zip = new GZIPOutputStream(zipped, 1 << 16, true);
            zip.write(before.getBytes(StandardCharsets.UTF_8));
            byte[] megabyte = "x".repeat(1 << 20).getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < megabytes; i++) {
                zip.write(megabyte);
            }
            zip.write(after.getBytes(StandardCharsets.UTF_8));
            zip.flush();
            return zipped.toByteArray();
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
    }
}
