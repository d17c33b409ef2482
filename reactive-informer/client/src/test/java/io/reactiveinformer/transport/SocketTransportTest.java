package io.reactiveinformer.transport;

import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.internal.MemoryShortages;
import io.reactiveinformer.internal.SparedTimer;
import io.reactiveinformer.resource.TransportException;
import java.io.IOException;
import java.net.URI;
import java.time.Duration;
import java.util.Collections;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Hooks;
import reactor.core.publisher.Mono;
import reactor.netty.http.client.HttpClient;
import reactor.test.StepVerifier;
import reactor.util.context.Context;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(NoLinesOfNetty.class)
class SocketTransportTest extends OverSockets {

    private final Set<Thread> others = loops().collect(Collectors.toSet());

    @Test
    void givesTheAnswerAsItArrives() throws IOException {
        try (RawPeer peer = sayingOne()) {
            StepVerifier.create(to(peer.address()).exchange(get("/x?y=z"), OverSockets::text))
                    .expectNext("one")
                    .then(() -> send(peer.lines().get(0), "3\r\ntwo\r\n0\r\n\r\n"))
                    .expectNext("two")
                    .expectComplete()
                    .verify(LIMIT);
            assertThat(peer.lines().get(0).request())
                    .startsWith("GET /x?y=z HTTP/1.1\r\n")
                    .containsIgnoringCase("accept: application/json")
                    .containsIgnoringCase("authorization: Bearer s3cret")
                    .containsIgnoringCase("accept-encoding: gzip")
                    .containsOnlyOnce("User-Agent: mine\r\n")
                    .doesNotContainIgnoringCase("ReactorNetty");
        }
    }

    @Test
    void usesAConnectionForMoreThanOneRequest() throws IOException {
        try (RawPeer peer = RawPeer.start(line -> {
            do {
                line.send("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            } while (!line.readRequest().isEmpty());
        })) {
            Transport transport = to(peer.address());
            StepVerifier.create(Flux.range(0, 50).concatMap(i -> transport.exchange(get("/" + i), OverSockets::text)))
                    .expectNextCount(50).expectComplete().verify(LIMIT);
            assertThat(peer.lines()).hasSizeLessThan(50); // one goes back into the pool a moment after its answer has ended
        }
    }

    /** A pool, or a loop, may wait for ever for what was lost then. */
    @Test
    void afterMemoryWasShortAllIsMadeAnew() throws IOException {
        try (RawPeer peer = sayingOne()) {
            Transport transport = to(peer.address());
            StepVerifier.create(transport.exchange(get("/watch"), OverSockets::text))
                    .expectNext("one")
                    .then(MemoryShortages::end)
                    .then(() -> StepVerifier.create(transport.exchange(get("/next"), OverSockets::text))
                            .expectNext("one").thenCancel().verify(LIMIT))
                    .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(TransportException.class)
                            .hasMessageContaining("memory was short"))
                    .verify(LIMIT);
            assertThat(peer.lines()).hasSize(2);
        }
    }

    /** The request that was on its way is lost with them, as are all others. */
    @Test
    void noConnectionsAreMadeOverLoopsThatWereReplacedMeanwhile() throws IOException {
        try (RawPeer peer = sayingOne()) {
            var endpoints = new AtomicInteger();
            Transport transport = Transport.overSockets(
                    Mono.defer(() -> endpoints.getAndIncrement() == 1 ? Mono.never() : Mono.just(Endpoint.of(peer.address()))),
                    TransportOptions.defaults());
            var reached = new AtomicInteger();
            Hooks.onEachOperator("replaced meanwhile", operator -> {
                if (makesConnections() && reached.getAndIncrement() == 0) {
                    MemoryShortages.end();
                    transport.exchange(get("/never"), OverSockets::text).subscribe(text -> {}, failure -> {});
                }
                return operator;
            });
            StepVerifier.create(transport.exchange(get("/lost"), OverSockets::text)).expectError(TransportException.class).verify(LIMIT);
            StepVerifier.create(transport.exchange(get("/next"), OverSockets::text)).expectNext("one").thenCancel().verify(LIMIT);
            assertThat(reached).hasPositiveValue();
            transport.dispose().block(LIMIT);
        } finally {
            Hooks.resetOnEachOperator("replaced meanwhile");
        }
    }

    private static boolean makesConnections() {
        return StackWalker.getInstance().walk(frames -> frames.anyMatch(
                frame -> frame.getMethodName().equals("<init>") && frame.getClassName().equals(Connections.class.getName())));
    }

    @Test
    void cancellingClosesTheConnectionAtOnce() throws Exception {
        try (RawPeer peer = sayingOne()) {
            StepVerifier.create(to(peer.address()).exchange(get("/watch"), OverSockets::text)).expectNext("one").thenCancel().verify(LIMIT);
            assertThat(peer.lines().get(0).hungUpWithin(5)).isTrue();
        }
    }

    @Test
    void cancellingBeforeTheHeadersClosesTheConnectionAtOnce() throws Exception {
        var asked = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(line -> asked.countDown())) {
            var exchange = to(peer.address()).exchange(get("/watch"), OverSockets::text).subscribe();
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
            exchange.dispose();
            assertThat(peer.lines().get(0).hungUpWithin(5)).isTrue();
        }
    }

    @Test
    void anAnswerThatIsNotReadClosesTheConnection() throws Exception {
        try (RawPeer peer = sayingOne()) {
            StepVerifier.create(to(peer.address()).exchange(get("/x"), answer -> Mono.just(answer.status())))
                    .expectNext(200).expectComplete().verify(LIMIT);
            assertThat(peer.lines().get(0).hungUpWithin(5)).isTrue();
        }
    }

    @Test
    void theReadersOwnFailurePassesUnchanged() throws IOException {
        var own = new IllegalStateException("mine");
        try (RawPeer peer = sayingOne()) {
            StepVerifier.create(to(peer.address()).exchange(get("/x"), answer -> answer.body().flatMap(bytes -> Mono.<String>error(own))))
                    .expectErrorSatisfies(failure -> assertThat(failure).isSameAs(own))
                    .verify(LIMIT);
        }
    }

    @Test
    void aRedirectIsAnAnswerAndIsNotFollowed() throws IOException {
        try (RawPeer elsewhere = RawPeer.start(line -> { });
                RawPeer peer = RawPeer.start(line ->
                        line.send("HTTP/1.1 302 Found\r\nLocation: " + elsewhere.address() + "/x\r\nContent-Length: 0\r\n\r\n"))) {
            StepVerifier.create(to(peer.address()).exchange(get("/x"), answer -> Mono.just(answer.status())))
                    .expectNext(302).expectComplete().verify(LIMIT);
            assertThat(elsewhere.lines()).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"100 Continue", "102 Processing", "103 Early Hints", "199 Of Our Own"})
    void whatIsSaidBeforeTheAnswerIsSkipped(String interim) throws IOException {
        String hint = "HTTP/1.1 " + interim + "\r\nLink: </style.css>; rel=preload\r\n\r\n";
        try (RawPeer peer = RawPeer.start(line -> {
            do {
                line.send(hint);
                line.send(hint + hint + "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
            } while (!line.readRequest().isEmpty());
        })) {
            Transport transport = to(peer.address());
            StepVerifier.create(Flux.range(0, 20)
                    .concatMap(i -> transport.exchange(get("/" + i), answer -> text(answer).map(text -> answer.status() + text))))
                    .expectNextSequence(Collections.nCopies(20, "200ok"))
                    .expectComplete()
                    .verify(LIMIT);
            assertThat(peer.lines()).hasSizeLessThan(20);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"100 Continue", "102 Processing", "103 Early Hints"})
    void whatIsSaidBeforeTheAnswerIsNotSkippedForEver(String interim) throws Exception {
        String hints = ("HTTP/1.1 " + interim + "\r\n\r\n").repeat(100);
        var options = TransportOptions.defaults();
        try (RawPeer peer = RawPeer.start(line -> {
            while (true) { // until the other side hangs up
                line.send(hints);
            }
        })) {
            StepVerifier.create(to(peer.address(), options.withSilence(Duration.ofSeconds(1), options.timer()))
                            .exchange(get("/pods"), OverSockets::text))
                    .expectErrorSatisfies(failure -> assertThat(failure)
                            .isInstanceOf(TransportException.class)
                            .hasMessage("no answer from " + peer.address() + " to GET /pods within 1 s"))
                    .verify(LIMIT);
            assertThat(peer.lines().get(0).hungUpWithin(5)).isTrue();
        }
    }

    @Test
    void aChangeOfProtocolIsAnAnswer() throws IOException {
        try (RawPeer peer =
                RawPeer.start(line -> line.send("HTTP/1.1 101 Switching Protocols\r\nUpgrade: other\r\nConnection: upgrade\r\n\r\n"))) {
            StepVerifier.create(to(peer.address()).exchange(get("/pods"), answer -> Flux.just(answer.status())))
                    .expectNext(101).expectComplete().verify(LIMIT);
        }
    }

    @Test
    void threeHundredOpenAnswersDoNotWaitForEachOther() throws Exception {
        try (RawPeer peer = sayingOne()) {
            Transport transport = to(peer.address());
            StepVerifier.create(Flux.range(0, 300).flatMap(i -> transport.exchange(get("/" + i), OverSockets::text), 300).take(300))
                    .expectNextCount(300)
                    .expectComplete()
                    .verify(LIMIT);
            // the peer closes last: if it closed while a reader cancels, Reactor Netty might log a warning
            assertThat(peer.lines()).hasSize(300);
            for (RawPeer.Line line : peer.lines()) {
                assertThat(line.hungUpWithin(5)).isTrue();
            }
        }
    }

    @Test
    void disposingEndsWhatIsUnderWay() throws Exception {
        try (RawPeer peer = sayingOne()) {
            Transport transport = to(peer.address());
            StepVerifier.create(transport.exchange(get("/watch"), OverSockets::text))
                    .expectNext("one")
                    .then(() -> transport.dispose().subscribe())
                    .expectErrorMessage("the client was closed")
                    .verify(LIMIT);
            StepVerifier.create(transport.dispose()).expectComplete().verify(LIMIT);
            assertThat(peer.lines().get(0).hungUpWithin(5)).isTrue();
            endsItsLoops();
            StepVerifier.create(transport.exchange(get("/late"), OverSockets::text)).expectErrorMessage("the client was closed")
                    .verify(LIMIT);
        }
    }

    /** One that is no daemon, or a plain main would end before its first request has gone out. */
    @Test
    void keepsTheProcessAliveByOneThreadUntilItIsDisposedOf() throws Exception {
        Transport unused = to(URI.create("http://127.0.0.1:1"));
        assertThat(ownLoops()).singleElement().satisfies(loop -> assertThat(loop.isDaemon()).isFalse());

        StepVerifier.create(unused.dispose()).expectComplete().verify(LIMIT);
        endsItsLoops();
    }

    /** Netty would warn of a connection that it may not open any more, and the warning would be the last thing that a program prints. */
    @Test
    void keepsItsLoopsWhileAThreadOpensAConnection() throws Exception {
        Transport transport = to(URI.create("http://127.0.0.1:1"));
        var once = new AtomicBoolean();
        var ended = new CompletableFuture<Boolean>();
        transport.exchange(get("/pods"), OverSockets::text).subscribe(new BaseSubscriber<>() {
            @Override
            public Context currentContext() {
                if (isAbout(HttpClient.class.getName()) && once.compareAndSet(false, true)) {
                    transport.dispose().subscribe();
                    ended.complete(endWithin(Duration.ofMillis(200)));
                }
                return Context.empty();
            }

            @Override
            protected void hookOnError(Throwable closed) {}
        });
        assertThat(ended).succeedsWithin(LIMIT).isEqualTo(false);
        transport.dispose().block(LIMIT);
        endsItsLoops();
    }

    private static boolean isAbout(String className) {
        return StackWalker.getInstance().walk(frames -> frames.anyMatch(frame -> frame.getClassName().startsWith(className)));
    }

    private boolean endWithin(Duration time) {
        try {
            for (Thread loop : ownLoops()) {
                if (!loop.getName().contains("keys")) {
                    loop.join(time.toMillis());
                    return !loop.isAlive();
                }
            }
            return true;
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }

    /** A loop says that it has ended as the last thing it does, a moment before its thread has. */
    private void endsItsLoops() throws InterruptedException {
        for (Thread loop : ownLoops()) {
            loop.join(LIMIT.toMillis());
            assertThat(loop.isAlive()).as("%s", loop).isFalse();
        }
    }

    private List<Thread> ownLoops() {
        return loops().filter(loop -> !others.contains(loop)).toList();
    }

    /** But for the timer, which all share, and whichever test is the first to need it starts. */
    private static Stream<Thread> loops() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("reactive-informer-") && !(thread instanceof SparedTimer.TimerThread));
    }
}
