package io.reactiveinformer.spring;

import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.kubernetes.client.openapi.models.V1Pod;
import io.netty.channel.ChannelOption;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.test.TestView;
import java.io.BufferedReader;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import org.springframework.core.io.buffer.DataBuffer;
import org.springframework.http.HttpHeaders;
import org.springframework.http.server.reactive.HttpHandler;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.http.server.reactive.ServerHttpResponseDecorator;
import org.springframework.util.LinkedMultiValueMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

import static org.assertj.core.api.Assertions.assertThat;

/** A stream that is written to connections of Reactor Netty, some of which nobody reads. */
@Timeout(60)
class WrittenRowsTest {

    private static final int ROWS = 10_000;
    private static final int BUFFERS = 64 * 1024;

    private final TestView<ObjectKey, V1Pod> pods = TestView.of(Map.of());
    private final RowStream stream = stream(Duration.ofHours(1));
    private final RowStream impatient = stream(Duration.ofMillis(50));
    private final AtomicInteger frames = new AtomicInteger();
    private final AtomicLong bytes = new AtomicLong();
    private final AtomicInteger open = new AtomicInteger();
    private DisposableServer server;

    @BeforeEach
    void start() {
        for (int i = 0; i < ROWS; i++) {
            put(i, "1");
        }
        HttpHandler handler = (request, response) -> (request.getURI().getPath().equals("/") ? stream : impatient).writeTo(new ServerHttpResponseDecorator(response) {
            @Override
            public Mono<Void> writeAndFlushWith(Publisher<? extends Publisher<? extends DataBuffer>> body) {
                return super.writeAndFlushWith(Flux.from(body).map(frame -> Flux.from(frame).doOnNext(buffer -> {
                    frames.incrementAndGet();
                    bytes.addAndGet(buffer.readableByteCount());
                })));
            }
        }, StreamRequest.of(new HttpHeaders(), new LinkedMultiValueMap<>(Map.of())));
        server = HttpServer.create().host("127.0.0.1").port(0).childOption(ChannelOption.SO_SNDBUF, BUFFERS)
                .doOnConnection(connection -> {
                    open.incrementAndGet();
                    connection.onDispose(open::decrementAndGet);
                })
                .handle(new ReactorHttpHandlerAdapter(handler)).bindNow();
    }

    @AfterEach
    void stop() {
        server.disposeNow();
        stream.close();
        impatient.close();
    }

    private RowStream stream(Duration pulse) {
        return RowStream.of(pods, pod -> Map.of("text", "x".repeat(200), "state", pod.getMetadata().getResourceVersion()),
                StreamOptions.named("pods").withPulse(pulse));
    }

    private void put(int i, String state) {
        pods.put(ObjectKey.of("shop", "p" + i),
                new V1Pod().metadata(new V1ObjectMeta().namespace("shop").name("p" + i).resourceVersion(state)));
    }

    private Socket connect() throws Exception {
        return connect("/");
    }

    private Socket connect(String path) throws Exception {
        var socket = new Socket();
        socket.setReceiveBufferSize(BUFFERS);
        socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), server.port()));
        socket.getOutputStream().write(("GET " + path + " HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n").getBytes(StandardCharsets.US_ASCII));
        return socket;
    }

    /** The rows that there are when all have this state, or at the end. */
    private static Map<String, String> read(Socket socket, String state) throws Exception {
        Map<String, String> rows = new HashMap<>();
        Set<String> outdated = new HashSet<>();
        var lines = new BufferedReader(new InputStreamReader(socket.getInputStream(), StandardCharsets.UTF_8));
        for (String line = lines.readLine(); line != null && (rows.size() < ROWS || !outdated.isEmpty()); line = lines.readLine()) {
            if (line.startsWith("data:{\"key\"")) {
                String key = line.replaceFirst("data:\\{\"key\":\"([^\"]*)\".*", "$1");
                boolean fresh = line.contains("\"state\":\"" + state + "\"");
                rows.put(key, fresh ? state : "before");
                if (fresh) {
                    outdated.remove(key);
                } else {
                    outdated.add(key);
                }
            }
        }
        return rows;
    }

    /** How many were written when no other one was for a second, although all buffers of both sides have been filled. */
    private int framesAtRest() {
        return Flux.interval(Duration.ofSeconds(1)).filter(n -> bytes.get() > 3 * BUFFERS).map(n -> frames.get()).buffer(2, 1)
                .filter(two -> two.get(0).equals(two.get(1))).blockFirst().get(0);
    }

    @Test
    void aBrowserThatDoesNotReadHoldsSomeFramesOnly() throws Exception {
        try (Socket stalled = connect()) {
            int before = framesAtRest();
            assertThat(bytes.get()).as("what the buffers of both sides take, and 64 KB and a frame in the server").isBetween(1L, 700_000L);
            for (int round = 2; round <= 20; round++) {
                for (int i = 0; i < ROWS; i++) {
                    put(i, String.valueOf(round));
                }
            }
            assertThat(framesAtRest()).as("nothing more of 190,000 changes").isEqualTo(before);
            assertThat(read(stalled, "20")).hasSize(ROWS);
            assertThat(bytes.get()).as("of 50 MB of changes").isLessThan(6_500_000);
        }
    }

    @Test
    void aCloseEndsTheAnswerOfABrowserThatDoesNotRead() throws Exception {
        try (Socket stalled = connect()) {
            assertThat(framesAtRest()).isPositive();
            stream.close();
            assertThat(stream.subscribers()).isZero();
            assertThat(read(stalled, "1").size()).as("what it had been told, and then the end").isBetween(100, ROWS - 1);
        }
    }

    @Test
    void aConnectionThatNobodyReadsIsClosedInTheEnd() throws Exception {
        try (Socket stalled = connect("/impatient")) {
            Flux.interval(Duration.ofMillis(20)).takeUntil(n -> open.get() == 1).blockLast();
            Flux.interval(Duration.ofMillis(20)).takeUntil(n -> open.get() == 0).blockLast();
            assertThat(impatient.subscribers()).isZero();
            assertThat(stalled.isClosed()).as("the server has closed it").isFalse();
        }
    }

    @Test
    void aBrowserThatReadsIsNotHeldUp() throws Exception {
        try (Socket reading = connect()) {
            assertThat(read(reading, "1")).hasSize(ROWS);
            long begun = System.nanoTime();
            for (int i = 0; i < ROWS; i++) {
                put(i, "2");
            }
            assertThat(read(reading, "2")).hasSize(ROWS);
            assertThat(System.nanoTime() - begun).isLessThan(10_000_000_000L);
        }
        Flux.interval(Duration.ofMillis(10)).doOnNext(n -> put(1, "3." + n)) // a connection that is closed is noticed at a write
                .takeUntil(n -> stream.subscribers() == 0).blockLast();
    }
}
