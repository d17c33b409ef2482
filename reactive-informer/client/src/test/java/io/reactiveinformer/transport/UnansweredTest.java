package io.reactiveinformer.transport;

import io.netty.channel.Channel;
import io.netty.handler.codec.http2.Http2SettingsAckFrame;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.util.concurrent.EventExecutor;
import io.netty.util.internal.ThreadExecutorMap;
import io.reactiveinformer.config.Certificates;
import io.reactiveinformer.config.Certificates.Issued;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.config.Cluster.Trust;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.DisposableServer;
import reactor.netty.http.Http2SslContextSpec;
import reactor.netty.http.HttpProtocol;
import reactor.netty.http.server.HttpServer;
import reactor.netty.http.server.HttpServerRequest;
import reactor.netty.http.server.HttpServerResponse;
import reactor.netty.tcp.SslProvider.GenericSslContextSpec;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Connections that are alive, and carry no request. */
@ExtendWith(NoLinesOfNetty.class)
class UnansweredTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final Duration PATIENCE = Duration.ofSeconds(75);

    private final Certificates authority = Certificates.authority("cluster-ca");
    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final List<Channel> connections = new CopyOnWriteArrayList<>();
    private final Set<EventExecutor> loops = ConcurrentHashMap.newKeySet();
    private final Sinks.Empty<Void> end = Sinks.empty();
    private CountDownLatch asked = new CountDownLatch(1);
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

    /** What the first connection does with requests; all others answer. */
    private interface First {
        Publisher<Void> handle(HttpServerRequest request, HttpServerResponse response);
    }

    /** Over HTTP/2. {@code /live} is answered by any connection, and lasts until the end. */
    private void serving(First first) {
        Issued identity = authority.issue("apiserver", "127.0.0.1");
        server = HttpServer.create().host("127.0.0.1")
                .protocol(HttpProtocol.H2)
                .secure(spec -> spec.sslContext((GenericSslContextSpec<SslContextBuilder>)
                        Http2SslContextSpec.forServer(identity.key(), new X509Certificate[] {identity.certificate()})))
                .handle((request, response) -> {
                    boolean onFirst = isOnFirst(request);
                    if (request.uri().equals("/live")) {
                        return response.sendString(Flux.just("alive").concatWith(end.asMono().cast(String.class)).concatWithValues("dead"),
                                StandardCharsets.UTF_8);
                    }
                    return onFirst && !request.uri().equals("/well")
                            ? first.handle(request, response) : response.sendString(Mono.just("answer"));
                })
                .bindNow(LIMIT);
        var endpoint = new Endpoint(
                URI.create("https://127.0.0.1:" + server.port()),
                Trust.authorities(List.of(authority.self().certificate()), "/etc/ca.crt"), null, null, true);
        var options = TransportOptions.defaults().withSilence(PATIENCE, timer).withPing(Duration.ofMillis(100), Duration.ofSeconds(10));
        transport = Transport.overSockets(Mono.just(endpoint), options);
    }

    private boolean isOnFirst(HttpServerRequest request) {
        Channel[] found = new Channel[1];
        request.withConnection(connection -> found[0] = connection.channel().parent());
        synchronized (connections) {
            if (!connections.contains(found[0])) {
                connections.add(found[0]);
            }
        }
        return connections.get(0) == found[0];
    }

    private Flux<String> exchange(String path) {
        return transport.exchange(HttpRequest.get(path, Headers.empty()).withSilence(Duration.ofDays(1)), answer -> {
            loops.add(ThreadExecutorMap.currentExecutor());
            return OverSockets.text(answer);
        });
    }

    /** A connection is free once its event loop is through with what ended the answer. */
    private void awaitFreeConnections() throws Exception {
        for (EventExecutor loop : loops) {
            loop.submit(() -> {}).get(LIMIT.toSeconds(), TimeUnit.SECONDS);
        }
    }

    private Publisher<Void> silence() {
        asked.countDown();
        return Mono.never();
    }

    private void isSilentAbout(String path) {
        asked = new CountDownLatch(1);
        StepVerifier.create(exchange(path))
                .then(() -> OverSockets.await(asked))
                .then(() -> timer.advanceTimeBy(PATIENCE))
                .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(TransportException.class)
                        .hasMessageEndingWith("to GET " + path + " within 75 s"))
                .verify(LIMIT);
    }

    private void answers(String path) {
        StepVerifier.create(exchange(path)).expectNext("answer").expectComplete().verify(LIMIT);
    }

    @Test
    void afterAnAnswerThatNeverCameTheNextTryUsesAnotherConnection() {
        serving((request, response) -> silence());
        StepVerifier.create(exchange("/live"))
                .expectNext("alive")
                .then(() -> isSilentAbout("/pods"))
                .then(() -> answers("/pods"))
                .then(() -> assertThat(connections).hasSize(2).allMatch(Channel::isActive))
                .then(end::tryEmitEmpty) // what lives on the old one has not been disturbed
                .expectNext("dead")
                .expectComplete()
                .verify(LIMIT);
        StepVerifier.create(Mono.fromFuture(() -> closed(connections.get(0)))).expectComplete().verify(LIMIT); // its last exchange is over
        answers("/pods");
        assertThat(connections).hasSize(2);
    }

    private static CompletableFuture<Void> closed(Channel channel) {
        var closed = new CompletableFuture<Void>();
        channel.closeFuture().addListener(gone -> closed.complete(null));
        return closed;
    }

    /** Which keeps the connection from looking idle, so that not even a ping is sent. */
    @Test
    void aFloodOfSettingsIsNoAnswer() {
        serving((request, response) -> {
            request.withConnection(stream -> {
                Channel connection = stream.channel().parent();
                Runnable acknowledge = () -> {
                    var unused = connection.writeAndFlush(Http2SettingsAckFrame.INSTANCE);
                };
                var unused = connection.eventLoop().scheduleAtFixedRate(acknowledge, 0, 10, TimeUnit.MILLISECONDS);
            });
            return silence();
        });
        isSilentAbout("/pods");
        answers("/pods");
    }

    @Test
    void manyThatWereNotAnsweredTakeOneOtherConnection() {
        serving((request, response) -> silence());
        asked = new CountDownLatch(10);
        StepVerifier.create(Flux.range(0, 10).flatMap(i -> exchange("/" + i).onErrorResume(failure -> Flux.just("none"))))
                .then(() -> OverSockets.await(asked))
                .then(() -> timer.advanceTimeBy(PATIENCE))
                .expectNextCount(10)
                .expectComplete()
                .verify(LIMIT);
        StepVerifier.create(Flux.range(0, 10).flatMap(i -> exchange("/" + i))).expectNextCount(10).expectComplete().verify(LIMIT);
        assertThat(connections).hasSize(2);
    }

    /** As one does who renews a lease: nobody waits for the transport's own limit. */
    @Test
    void callersThatGaveUpWaitingAreServedByAnotherConnection() {
        serving((request, response) -> silence());
        givesUp("/lease");
        givesUp("/lease");
        answers("/lease");
        assertThat(connections).hasSize(2);
    }

    @Test
    void aCallerThatGivesUpWhileOthersAreAnsweredCondemnsNoConnection() {
        serving((request, response) -> silence());
        givesUp("/slow");
        answers("/well");
        givesUp("/slow");
        answers("/well");
        assertThat(connections).hasSize(1);
    }

    @Test
    void aCallerThatDidNotWaitCondemnsNoConnection() {
        serving((request, response) -> silence());
        for (int i = 0; i < 10; i++) {
            asked = new CountDownLatch(1);
            StepVerifier.create(exchange("/pods")).then(() -> OverSockets.await(asked)).thenCancel().verify(LIMIT);
        }
        answers("/well");
        assertThat(connections).hasSize(1);
    }

    private void givesUp(String path) {
        asked = new CountDownLatch(1);
        StepVerifier.create(exchange(path).timeout(Duration.ofSeconds(5), timer))
                .then(() -> OverSockets.await(asked))
                .then(() -> timer.advanceTimeBy(Duration.ofSeconds(5)))
                .expectError(TimeoutException.class)
                .verify(LIMIT);
    }

    @Test
    void aConnectionThatResetsEachRequestIsReplaced() {
        serving((request, response) -> {
            request.withConnection(stream -> {
                var unused = stream.channel().close();
            });
            return Mono.never();
        });
        StepVerifier.create(exchange("/live"))
                .expectNext("alive")
                .then(() -> {
                    for (int i = 0; i < 2; i++) {
                        StepVerifier.create(exchange("/pods")).expectError(TransportException.class).verify(LIMIT);
                    }
                })
                .then(() -> answers("/pods"))
                .then(end::tryEmitEmpty)
                .expectNext("dead")
                .expectComplete()
                .verify(LIMIT);
        assertThat(connections).hasSize(2);
    }

    /** Headers, and then nothing: it is not the answer's beginning that was waited for. */
    @Test
    void anAnswerThatStopsIsNoReasonToTrustItsConnection() {
        serving((request, response) -> {
            asked.countDown();
            return response.sendString(Flux.just("half").concatWith(Flux.never()));
        });
        StepVerifier.create(transport.exchange(HttpRequest.get("/pods", Headers.empty()), OverSockets::text))
                .expectNext("half")
                .then(() -> timer.advanceTimeBy(PATIENCE))
                .expectErrorSatisfies(failure -> assertThat(failure).hasMessageEndingWith("stopped: silence for 75 s"))
                .verify(LIMIT);
        answers("/pods");
    }

    /** What lies in between has forgotten them: what is sent gets lost. */
    @Test
    void idleConnectionsOfHttp1AreNotTriedOneByOne() throws Exception {
        var together = new CountDownLatch(2);
        try (RawPeer peer = RawPeer.start(line -> {
            together.countDown();
            OverSockets.await(together);
            line.send("HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nanswer");
            line.readRequest();
            asked.countDown(); // and no answer
        })) {
            transport = Transport.overSockets(Mono.just(Endpoint.of(peer.address())),
                    TransportOptions.defaults().withSilence(PATIENCE, timer));
            StepVerifier.create(Flux.range(0, 2).flatMap(i -> exchange("/" + i))).expectNextCount(2).expectComplete().verify(LIMIT);
            awaitFreeConnections();
            isSilentAbout("/pods");
            answers("/pods");
            assertThat(peer.lines()).hasSize(3);
        }
    }
}
