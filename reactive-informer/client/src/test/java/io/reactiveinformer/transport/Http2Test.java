package io.reactiveinformer.transport;

import io.netty.channel.socket.SocketChannel;
import io.netty.handler.codec.http2.DefaultHttp2Headers;
import io.netty.handler.codec.http2.DefaultHttp2HeadersFrame;
import io.netty.handler.ssl.SslContextBuilder;
import io.reactiveinformer.config.Certificates;
import io.reactiveinformer.config.Certificates.Issued;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.config.Cluster.Trust;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.NettyPipeline;
import reactor.netty.http.Http11SslContextSpec;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(NoLinesOfNetty.class)
class Http2Test {

    private static final Duration LIMIT = Duration.ofSeconds(30);

    private final Certificates authority = Certificates.authority("cluster-ca");
    private final Set<String> connections = ConcurrentHashMap.newKeySet();
    private final Set<String> versions = ConcurrentHashMap.newKeySet();
    private final AtomicInteger open = new AtomicInteger();
    private final Sinks.Empty<Void> end = Sinks.empty();
    private List<String> interim = List.of();
    private @Nullable DisposableServer server;
    private @Nullable Transport transport;

    @AfterEach
    void close() {
        if (transport != null) {
            transport.dispose().block(LIMIT);
        }
        if (server != null) {
            server.disposeNow(LIMIT);
        }
    }

    /** As the API server: at most 100 streams a connection. A watch says one line, and ends when all do. */
    private Transport to(boolean serverSpeaksHttp2, TransportOptions options) {
        Issued identity = authority.issue("apiserver", "127.0.0.1");
        HttpServer http = HttpServer.create().host("127.0.0.1").handle((request, response) -> {
            versions.add(request.protocol());
            request.withConnection(connection -> interim.forEach(status -> {
                var unused = connection.channel().pipeline().context(NettyPipeline.H2ToHttp11Codec)
                        .writeAndFlush(new DefaultHttp2HeadersFrame(new DefaultHttp2Headers().status(status).set("link", "</style.css>")));
            }));
            request.withConnection(connection -> connections.add(String.valueOf(
                    connection.channel().parent() instanceof SocketChannel stream ? stream.id() : connection.channel().id())));
            open.incrementAndGet();
            return response.sse().sendString(Flux.just("hello\n").concatWith(end.asMono().cast(String.class))
                    .doFinally(s -> open.decrementAndGet()));
        });
        HttpServer configured = serverSpeaksHttp2
                ? http.protocol(HttpProtocol.H2, HttpProtocol.HTTP11)
                        .http2Settings(settings -> settings.maxConcurrentStreams(100))
                        .secure(spec -> spec.sslContext((GenericSslContextSpec<SslContextBuilder>)
                                Http2SslContextSpec.forServer(identity.key(), new X509Certificate[] {identity.certificate()})))
                : http.secure(spec -> spec.sslContext((GenericSslContextSpec<SslContextBuilder>)
                        Http11SslContextSpec.forServer(identity.key(), new X509Certificate[] {identity.certificate()})));
        server = configured.bindNow(LIMIT);
        return through(server.port(), options);
    }

    private Transport through(int port, TransportOptions options) {
        var endpoint = new Endpoint(
                URI.create("https://127.0.0.1:" + port),
                Trust.authorities(List.of(authority.self().certificate()), "/etc/ca.crt"), null, null, true);
        transport = Transport.overSockets(Mono.just(endpoint), options);
        return transport;
    }

    private Flux<String> watches(int count) {
        return Flux.range(0, count)
                .flatMap(i -> transport.exchange(HttpRequest.get("/" + i, Headers.empty()), answer -> answer.body()
                        .map(bytes -> bytes.toString(StandardCharsets.UTF_8))), count);
    }

    @Test
    void threeHundredWatchesShareAFewConnections() {
        to(true, TransportOptions.defaults());
        StepVerifier.create(watches(300))
                .expectNextCount(300)
                .then(() -> assertThat(open).hasValue(300))
                .then(end::tryEmitEmpty)
                .expectComplete()
                .verify(LIMIT);
        assertThat(versions).containsExactly("HTTP/2.0");
        assertThat(connections).hasSizeBetween(3, 6);
    }

    @Test
    void watchesHaveAConnectionEachWhereTheServerSpeaksOnlyHttp1() {
        to(false, TransportOptions.defaults());
        StepVerifier.create(watches(30)).expectNextCount(30).then(end::tryEmitEmpty).expectComplete().verify(LIMIT);
        assertThat(versions).containsExactly("HTTP/1.1");
        assertThat(connections).hasSize(30);
    }

    @Test
    void http2CanBeLeftOut() {
        to(true, TransportOptions.defaults().withHttp2(false));
        StepVerifier.create(watches(30)).expectNextCount(30).then(end::tryEmitEmpty).expectComplete().verify(LIMIT);
        assertThat(versions).containsExactly("HTTP/1.1");
    }

    /** 234: TestReconnectBrokenTCP. */
    @Test
    void aConnectionThatDiedWithoutAWordIsGivenUpAndReplaced() throws IOException {
        var options = TransportOptions.defaults().withPing(Duration.ofSeconds(2), Duration.ofSeconds(2));
        to(true, options).dispose().block(LIMIT);
        try (Relay relay = Relay.to(server.port())) {
            through(relay.port(), options);
            StepVerifier.create(watches(3))
                    .expectNextCount(3)
                    .then(relay::freeze)
                    .expectErrorSatisfies(failure -> assertThat(failure)
                            .isInstanceOf(TransportException.class)
                            .hasMessageEndingWith("broke off: no answer to a ping within 2 s; we closed the connection"))
                    .verify(LIMIT);
            relay.thaw();
            StepVerifier.create(watches(3).take(3)).expectNextCount(3).expectComplete().verify(LIMIT);
            assertThat(relay.connections()).isEqualTo(2);
        }
    }

    @Test
    void aQuietConnectionThatIsAliveIsKept() throws IOException {
        var options = TransportOptions.defaults().withPing(Duration.ofMillis(200), Duration.ofMillis(5000));
        to(true, options);
        StepVerifier.create(watches(1))
                .expectNextCount(1)
                .expectNoEvent(Duration.ofSeconds(2))
                .then(end::tryEmitEmpty)
                .expectComplete()
                .verify(LIMIT);
    }

    @Test
    void cancellingOneWatchLeavesTheOthers() {
        to(true, TransportOptions.defaults());
        StepVerifier.create(watches(2).take(2).concatWith(watches(1))).expectNextCount(3).then(end::tryEmitEmpty)
                .expectComplete().verify(LIMIT);
        assertThat(connections).hasSize(1);
    }

    @Test
    void whatIsSaidBeforeTheAnswerIsSkipped() {
        interim = List.of("100", "102", "103", "103");
        to(true, TransportOptions.defaults());
        StepVerifier.create(watches(3)).expectNext("hello\n", "hello\n", "hello\n").then(end::tryEmitEmpty).expectComplete().verify(LIMIT);
        assertThat(versions).containsExactly("HTTP/2.0");
    }
}
