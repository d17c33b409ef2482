package io.reactiveinformer.transport;

import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** A transport over sockets, to peers that say what the test has them say. */
public abstract class OverSockets {

    protected static final Duration LIMIT = Duration.ofSeconds(20);
    protected static final String CHUNKED = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final AtomicReference<Transport> opened = new AtomicReference<>();

    @AfterEach
    protected void close() {
        Transport transport = opened.get();
        if (transport != null) {
            transport.dispose().block(LIMIT);
        }
    }

    protected Transport to(URI server) {
        return to(server, TransportOptions.defaults());
    }

    protected Transport to(URI server, TransportOptions options) {
        Transport transport = Transport.overSockets(Mono.just(Endpoint.of(server)), options);
        opened.set(transport);
        return transport;
    }

    protected static HttpRequest get(String uri) {
        return HttpRequest.get(uri, Headers.of("Accept", "application/json").with("Authorization", "Bearer s3cret")
                .with("User-Agent", "mine"));
    }

    protected static Flux<String> text(Transport.Answer answer) {
        return answer.body().map(bytes -> bytes.toString(StandardCharsets.UTF_8));
    }

    /** A peer that answers with one word, and leaves the rest open. */
    protected static RawPeer sayingOne() throws IOException {
        return RawPeer.start(line -> line.send(CHUNKED + "3\r\none\r\n"));
    }

    protected static void send(RawPeer.Line line, String bytes) {
        try {
            line.send(bytes);
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    protected static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
