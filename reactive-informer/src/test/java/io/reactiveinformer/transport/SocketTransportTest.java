package io.reactiveinformer.transport;

import io.reactiveinformer.config.Endpoint;
import io.reactiveinformer.resource.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class SocketTransportTest {

    private static final Duration LIMIT = Duration.ofSeconds(20);
    private static final String CHUNKED = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final AtomicReference<Transport> opened = new AtomicReference<>();
    private final Set<Thread> others = loops().collect(Collectors.toSet());

    @AfterEach
    void close() {
        Transport transport = opened.get();
        if (transport != null) {
            transport.dispose().block(LIMIT);
        }
    }

    private Transport to(URI server) {
        return to(server, TransportOptions.defaults());
    }

    private Transport to(URI server, TransportOptions options) {
        Transport transport = Transport.overSockets(Mono.just(Endpoint.of(server)), options);
        opened.set(transport);
        return transport;
    }

    private static HttpRequest get(String uri) {
        return HttpRequest.get(uri, Headers.of("Accept", "application/json").with("Authorization", "Bearer s3cret").with("User-Agent", "mine"));
    }

    private static Flux<String> text(HttpAnswer answer) {
        return answer.body().map(bytes -> bytes.toString(StandardCharsets.UTF_8));
    }

    @Test
    void givesTheAnswerAsItArrives() throws IOException {
        try (RawPeer peer = RawPeer.start(line -> line.send(CHUNKED + "3\r\none\r\n"))) {
            StepVerifier.create(to(peer.address()).exchange(get("/x?y=z"), SocketTransportTest::text))
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
            StepVerifier.create(Flux.range(0, 50).concatMap(i -> transport.exchange(get("/" + i), SocketTransportTest::text)))
                    .expectNextCount(50).expectComplete().verify(LIMIT);
            assertThat(peer.lines()).hasSizeLessThan(50); // one goes back into the pool a moment after its answer has ended
        }
    }

    @Test
    void cancellingClosesTheConnectionAtOnce() throws Exception {
        try (RawPeer peer = RawPeer.start(line -> line.send(CHUNKED + "3\r\none\r\n"))) {
            StepVerifier.create(to(peer.address()).exchange(get("/watch"), SocketTransportTest::text)).expectNext("one").thenCancel().verify(LIMIT);
            assertThat(peer.lines().get(0).hungUpWithin(5)).isTrue();
        }
    }

    @Test
    void cancellingBeforeTheHeadersClosesTheConnectionAtOnce() throws Exception {
        var asked = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(line -> asked.countDown())) {
            var exchange = to(peer.address()).exchange(get("/watch"), SocketTransportTest::text).subscribe();
            assertThat(asked.await(10, TimeUnit.SECONDS)).isTrue();
            exchange.dispose();
            assertThat(peer.lines().get(0).hungUpWithin(5)).isTrue();
        }
    }

    @Test
    void anAnswerThatIsNotReadClosesTheConnection() throws Exception {
        try (RawPeer peer = RawPeer.start(line -> line.send(CHUNKED + "3\r\none\r\n"))) {
            StepVerifier.create(to(peer.address()).exchange(get("/x"), answer -> Mono.just(answer.status())))
                    .expectNext(200).expectComplete().verify(LIMIT);
            assertThat(peer.lines().get(0).hungUpWithin(5)).isTrue();
        }
    }

    @Test
    void aCutWithinAChunkIsAFailure() throws IOException {
        try (RawPeer peer = RawPeer.start(line -> {
            line.send(CHUNKED + "3\r\none\r\nff\r\ntw");
            line.close();
        })) {
            StepVerifier.create(to(peer.address()).exchange(get("/pods?watch=true"), SocketTransportTest::text).skipUntil(text -> text.endsWith("tw")).skip(1))
                    .expectErrorSatisfies(failure -> assertThat(failure)
                            .isInstanceOf(TransportException.class)
                            .hasMessage("the answer of " + peer.address() + " to GET /pods broke off: the connection was closed before the end"))
                    .verify(LIMIT);
        }
    }

    @Test
    void aResetIsAFailure() throws IOException {
        try (RawPeer peer = RawPeer.start(line -> line.send(CHUNKED + "3\r\none\r\n"))) {
            StepVerifier.create(to(peer.address()).exchange(get("/pods"), SocketTransportTest::text))
                    .expectNext("one")
                    .then(() -> reset(peer.lines().get(0)))
                    .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(TransportException.class).hasMessageContaining("broke off"))
                    .verify(LIMIT);
        }
    }

    /** 229: TestRequestWatch. There it is an empty watch; here it is told, and whoever watches decides. */
    @Test
    void anEndWithoutAnAnswerIsAFailure() throws IOException {
        try (RawPeer peer = RawPeer.start(RawPeer.Line::close)) {
            StepVerifier.create(to(peer.address()).exchange(get("/pods"), SocketTransportTest::text))
                    .expectErrorSatisfies(failure -> assertThat(failure)
                            .isInstanceOf(TransportException.class)
                            .hasMessage("cannot reach " + peer.address() + ": the connection was closed before the end"))
                    .verify(LIMIT);
        }
    }

    @Test
    void aRefusedConnectionSaysWhereAndWhatToCheck() throws IOException {
        int port;
        try (var nobody = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = nobody.getLocalPort();
        }
        StepVerifier.create(to(URI.create("http://127.0.0.1:" + port)).exchange(get("/pods"), SocketTransportTest::text))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(TransportException.class)
                        .hasMessage("cannot reach http://127.0.0.1:" + port + ": connection refused; is the server running, and is this its port?")
                        .hasStackTraceContaining("Connection refused")
                        .satisfies(SocketTransportTest::holdsNoSecret))
                .verify(LIMIT);
    }

    @Test
    void aPortMayHaveOneDigit() {
        StepVerifier.create(to(URI.create("http://127.0.0.1:1")).exchange(get("/pods"), SocketTransportTest::text))
                .expectErrorSatisfies(failure -> assertThat(failure).hasMessageStartingWith("cannot reach http://127.0.0.1:1: connection refused"))
                .verify(LIMIT);
    }

    @Test
    void anUnknownHostIsNamed() {
        StepVerifier.create(to(URI.create("http://no-such-host.invalid:80")).exchange(get("/pods"), SocketTransportTest::text))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .hasMessageStartingWith("cannot reach http://no-such-host.invalid:80: there is no host no-such-host.invalid"))
                .verify(LIMIT);
    }

    @Test
    void theReadersOwnFailurePassesUnchanged() throws IOException {
        var own = new IllegalStateException("mine");
        try (RawPeer peer = RawPeer.start(line -> line.send(CHUNKED + "3\r\none\r\n"))) {
            StepVerifier.create(to(peer.address()).exchange(get("/x"), answer -> answer.body().flatMap(bytes -> Mono.<String>error(own))))
                    .expectErrorSatisfies(failure -> assertThat(failure).isSameAs(own))
                    .verify(LIMIT);
        }
    }

    @Test
    void silenceBeforeTheHeadersEndsTheRequest() throws Exception {
        var timer = VirtualTimeScheduler.create();
        var asked = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(line -> asked.countDown())) {
            Transport transport = to(peer.address(), TransportOptions.defaults().withSilence(Duration.ofSeconds(75), timer));
            StepVerifier.create(transport.exchange(get("/pods"), SocketTransportTest::text))
                    .then(() -> await(asked))
                    .then(() -> timer.advanceTimeBy(Duration.ofSeconds(75)))
                    .expectErrorSatisfies(failure -> assertThat(failure)
                            .isInstanceOf(TransportException.class)
                            .hasMessage("no answer from " + peer.address() + " to GET /pods within 75 s"))
                    .verify(LIMIT);
            assertThat(peer.lines().get(0).hungUpWithin(5)).isTrue();
        }
    }

    @Test
    void headersMayComeLateAndInPieces() throws Exception {
        var timer = VirtualTimeScheduler.create();
        var asked = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(line -> asked.countDown())) {
            Transport transport = to(peer.address(), TransportOptions.defaults().withSilence(Duration.ofSeconds(75), timer));
            StepVerifier.create(transport.exchange(get("/pods"), SocketTransportTest::text))
                    .then(() -> await(asked))
                    .then(() -> send(peer.lines().get(0), "HTTP/1.1 200 OK\r\nContent-"))
                    .then(() -> timer.advanceTimeBy(Duration.ofSeconds(74)))
                    .then(() -> send(peer.lines().get(0), "Length: 3\r\n\r\none"))
                    .expectNext("one")
                    .expectComplete()
                    .verify(LIMIT);
        }
    }

    @Test
    void headersThatNeverEndAreNotWaitedFor() throws Exception {
        var timer = VirtualTimeScheduler.create();
        var asked = new CountDownLatch(1);
        try (RawPeer peer = RawPeer.start(line -> asked.countDown())) {
            Transport transport = to(peer.address(), TransportOptions.defaults().withSilence(Duration.ofSeconds(75), timer));
            StepVerifier.create(transport.exchange(get("/pods"), SocketTransportTest::text))
                    .then(() -> await(asked))
                    .then(() -> {
                        for (int i = 0; i < 75; i++) {
                            send(peer.lines().get(0), i == 0 ? "HTTP/1.1 200 OK\r\n" : "X-" + i + ": drip\r\n");
                            timer.advanceTimeBy(Duration.ofSeconds(1));
                        }
                    })
                    .expectErrorMessage("no answer from " + peer.address() + " to GET /pods within 75 s")
                    .verify(LIMIT);
        }
    }

    @Test
    void headersThatAreTooLargeAreAFailureOfOurs() throws IOException {
        try (RawPeer peer = RawPeer.start(line -> line.send("HTTP/1.1 200 OK\r\nX-Long: " + "x".repeat(100_000) + "\r\n\r\n"))) {
            StepVerifier.create(to(peer.address()).exchange(get("/pods"), SocketTransportTest::text))
                    .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(TransportException.class).hasMessageContaining("what came is not HTTP as we know it"))
                    .verify(LIMIT);
        }
    }

    /** A black hole: it accepts, and is then silent. */
    @Test
    void aPeerThatNeverAnswersTheHandshakeIsGivenUp() throws IOException {
        try (RawPeer peer = RawPeer.start(line -> { })) {
            URI address = URI.create(peer.address().toString().replace("http:", "https:"));
            StepVerifier.create(to(address, TransportOptions.defaults().withConnectTimeout(Duration.ofMillis(500))).exchange(get("/pods"), SocketTransportTest::text))
                    .expectErrorMessage("cannot reach " + address + ": no TLS handshake within the time limit; does this port speak TLS?")
                    .verify(LIMIT);
        }
    }

    @Test
    void silenceWithinTheBodyCountsFromTheLastByte() throws Exception {
        var timer = VirtualTimeScheduler.create();
        try (RawPeer peer = RawPeer.start(line -> line.send(CHUNKED + "3\r\none\r\n"))) {
            HttpRequest watch = get("/pods").withSilence(Duration.ofSeconds(10));
            StepVerifier.create(to(peer.address(), TransportOptions.defaults().withSilence(Duration.ofSeconds(75), timer)).exchange(watch, SocketTransportTest::text))
                    .expectNext("one")
                    .then(() -> timer.advanceTimeBy(Duration.ofSeconds(9)))
                    .then(() -> send(peer.lines().get(0), "3\r\ntwo\r\n"))
                    .expectNext("two")
                    .then(() -> timer.advanceTimeBy(Duration.ofSeconds(9)))
                    .then(() -> send(peer.lines().get(0), "3\r\nthr\r\n"))
                    .expectNext("thr")
                    .then(() -> timer.advanceTimeBy(Duration.ofSeconds(10)))
                    .expectErrorSatisfies(failure -> assertThat(failure).hasMessageEndingWith("GET /pods stopped: silence for 10 s"))
                    .verify(LIMIT);
        }
    }

    @Test
    void aReaderThatAsksForNothingIsNotKeptWaiting() throws Exception {
        var timer = VirtualTimeScheduler.create();
        try (RawPeer peer = RawPeer.start(line -> line.send(CHUNKED + "3\r\none\r\n"))) {
            StepVerifier.create(to(peer.address(), TransportOptions.defaults().withSilence(Duration.ofSeconds(10), timer)).exchange(get("/pods"), SocketTransportTest::text), 1)
                    .expectNext("one")
                    .then(() -> timer.advanceTimeBy(Duration.ofHours(1)))
                    .then(() -> send(peer.lines().get(0), "3\r\ntwo\r\n0\r\n\r\n"))
                    .thenRequest(1)
                    .expectNext("two")
                    .thenRequest(1)
                    .expectComplete()
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

    @Test
    void threeHundredOpenAnswersDoNotWaitForEachOther() throws IOException {
        try (RawPeer peer = RawPeer.start(line -> line.send(CHUNKED + "3\r\none\r\n"))) {
            Transport transport = to(peer.address());
            StepVerifier.create(Flux.range(0, 300).flatMap(i -> transport.exchange(get("/" + i), SocketTransportTest::text), 300).take(300))
                    .expectNextCount(300)
                    .expectComplete()
                    .verify(LIMIT);
        }
    }

    @Test
    void disposingEndsWhatIsUnderWay() throws Exception {
        try (RawPeer peer = RawPeer.start(line -> line.send(CHUNKED + "3\r\none\r\n"))) {
            Transport transport = to(peer.address());
            StepVerifier.create(transport.exchange(get("/watch"), SocketTransportTest::text))
                    .expectNext("one")
                    .then(() -> transport.dispose().subscribe())
                    .expectErrorMessage("the client was closed")
                    .verify(LIMIT);
            StepVerifier.create(transport.dispose()).expectComplete().verify(LIMIT);
            assertThat(peer.lines().get(0).hungUpWithin(5)).isTrue();
            endsItsLoops();
            StepVerifier.create(transport.exchange(get("/late"), SocketTransportTest::text)).expectErrorMessage("the client was closed").verify(LIMIT);
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

    private static Stream<Thread> loops() {
        return Thread.getAllStackTraces().keySet().stream().filter(thread -> thread.getName().startsWith("reactive-informer-"));
    }

    private static void holdsNoSecret(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            assertThat(String.valueOf(at.getMessage())).doesNotContain("s3cret");
        }
    }

    private static void send(RawPeer.Line line, String bytes) {
        try {
            line.send(bytes);
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    private static void reset(RawPeer.Line line) {
        try {
            line.reset();
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }

    private static void await(CountDownLatch latch) {
        try {
            assertThat(latch.await(10, TimeUnit.SECONDS)).isTrue();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
