package io.reactiveinformer.client;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.socket.SocketChannel;
import io.netty.handler.ssl.SslContextBuilder;
import io.reactiveinformer.config.Certificates;
import io.reactiveinformer.config.ClusterConfig;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;
import reactor.test.StepVerifier;
import tools.jackson.databind.JsonNode;

import static org.assertj.core.api.Assertions.assertThat;

/** Readers of one HTTP/2 connection that request nothing more, while others go on. */
class PausedReadersTest {

    private static final Duration LIMIT = Duration.ofSeconds(60);
    /** Many more than Netty's own window of a connection has room for. With 98, all streams but two, it goes as well, and takes longer. */
    private static final int PAUSED = 20;
    /** What a stream takes without being read, less what may be in pieces on the way. */
    private static final long EACH = (1 << 20) - (64 << 10);
    private static final byte[] LINES = ("x".repeat(1023) + "\n").repeat(32).getBytes(StandardCharsets.UTF_8);
    private static final int ITEMS = 5000;

    @TempDir
    Path directory;

    private final Certificates authority = Certificates.authority("cluster-ca");
    private final Set<String> connections = ConcurrentHashMap.newKeySet();
    private final AtomicLong written = new AtomicLong();
    private final Sinks.Empty<Void> full = Sinks.empty();

    private DisposableServer serve() {
        Certificates.Issued identity = authority.issue("apiserver", "127.0.0.1");
        return HttpServer.create().host("127.0.0.1")
                .protocol(HttpProtocol.H2, HttpProtocol.HTTP11)
                .http2Settings(settings -> settings.maxConcurrentStreams(250))
                .secure(spec -> spec.sslContext((GenericSslContextSpec<SslContextBuilder>)
                        Http2SslContextSpec.forServer(identity.key(), new X509Certificate[] {identity.certificate()})))
                .handle((request, response) -> {
                    request.withConnection(connection -> connections.add(connection.channel().parent() instanceof SocketChannel socket
                            ? socket.id().asLongText() : "HTTP/1.1"));
                    return response.header("Content-Type", "application/json").send(body(request), chunk -> true);
                })
                .bindNow(LIMIT);
    }

    private Flux<ByteBuf> body(HttpServerRequest request) {
        if (request.uri().contains("/log")) {
            return Flux.<ByteBuf>generate(sink -> sink.next(Unpooled.wrappedBuffer(LINES))).doOnNext(chunk -> {
                if (written.addAndGet(LINES.length) >= PAUSED * EACH) {
                    full.tryEmitEmpty();
                }
            });
        }
        return request.uri().contains("watch=true")
                ? inPieces(Flux.range(0, ITEMS).map(i -> "{\"type\":\"ADDED\",\"object\":" + item(i) + "}\n")).concatWith(Flux.never())
                : inPieces(Flux.just("{\"metadata\":{\"resourceVersion\":\"1\"},\"items\":[")
                        .concatWith(Flux.range(0, ITEMS).map(i -> (i == 0 ? "" : ",") + item(i)))
                        .concatWithValues("]}"));
    }

    /** A kilobyte: the whole of them is more than a connection's window is at first. */
    private static String item(int i) {
        return "{\"metadata\":{\"name\":\"w" + i + "\",\"uid\":\"u\",\"resourceVersion\":\"1\"},\"spec\":\"" + "x".repeat(1000) + "\"}";
    }

    private static Flux<ByteBuf> inPieces(Flux<String> texts) {
        return texts.buffer(100).map(some -> Unpooled.copiedBuffer(String.join("", some), StandardCharsets.UTF_8));
    }

    private ClusterConfig config(int port) throws IOException {
        return ClusterConfig.of("https://127.0.0.1:" + port)
                .ca(Files.writeString(directory.resolve("ca.crt"), authority.self().certificatePem()));
    }

    /** Alternately a log and a raw answer, of which one piece is asked for. */
    private static Flux<?> paused(KubernetesClient client, int i) {
        return i % 2 == 0
                ? client.logs(ObjectKey.of("ns", "p" + i), LogOptions.defaults().withFollow())
                : client.raw().exchange(HttpRequest.get("/log/" + i, Headers.empty()));
    }

    @Test
    void delayNobody() throws IOException {
        DisposableServer server = serve();
        Disposable.Composite readers = Disposables.composite();
        try (var client = KubernetesClient.create(config(server.port()))) {
            for (int i = 0; i < PAUSED; i++) {
                readers.add(paused(client, i).subscribeWith(new Paused()));
            }
            full.asMono().block(LIMIT);

            ResourceClient<JsonNode> widgets = client.resources(ResourceType.dynamic("example.com", "v1", "widgets"));
            StepVerifier.create(widgets.list(Namespaces.all(), ListOptions.defaults(), Reading.anew()).ofType(ObjectEvent.Applied.class))
                    .expectNextCount(ITEMS).expectComplete().verify(LIMIT);
            StepVerifier.create(widgets.watch(Namespaces.all(), WatchOptions.from("1", Duration.ofMinutes(5)), Reading.anew())
                    .ofType(ObjectEvent.Applied.class))
                    .expectNextCount(ITEMS).thenCancel().verify(LIMIT);
            assertThat(connections).as("all of them on one").hasSize(1);
            readers.dispose();
        } finally {
            server.disposeNow(LIMIT);
        }
    }

    /** Asks for the first piece, and for no other. */
    private static final class Paused extends BaseSubscriber<Object> {

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            subscription.request(1);
        }
    }
}
