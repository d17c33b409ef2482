package io.reactiveinformer.transport;

import io.reactiveinformer.resource.TransportException;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

@ExtendWith(NoLinesOfNetty.class)
class SocketFailuresTest extends OverSockets {

    @Test
    void aCutWithinAChunkIsAFailure() throws IOException {
        try (RawPeer peer = RawPeer.start(line -> {
            line.send(CHUNKED + "3\r\none\r\nff\r\ntw");
            line.close();
        })) {
            StepVerifier.create(to(peer.address()).exchange(get("/pods?watch=true"), OverSockets::text)
                    .skipUntil(text -> text.endsWith("tw")).skip(1))
                    .expectErrorSatisfies(failure -> assertThat(failure)
                            .isInstanceOf(TransportException.class)
                            .hasMessage("the answer of " + peer.address()
                                    + " to GET /pods broke off: the connection was closed before the end"))
                    .verify(LIMIT);
        }
    }

    @Test
    void aResetIsAFailure() throws IOException {
        try (RawPeer peer = sayingOne()) {
            StepVerifier.create(to(peer.address()).exchange(get("/pods"), OverSockets::text))
                    .expectNext("one")
                    .then(() -> reset(peer.lines().get(0)))
                    .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(TransportException.class)
                            .hasMessageContaining("broke off"))
                    .verify(LIMIT);
        }
    }

    /** 229: TestRequestWatch. There it is an empty watch; here it is a failure, and the caller that watches decides. */
    @Test
    void anEndWithoutAnAnswerIsAFailure() throws IOException {
        try (RawPeer peer = RawPeer.start(RawPeer.Line::close)) {
            StepVerifier.create(to(peer.address()).exchange(get("/pods"), OverSockets::text))
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
        StepVerifier.create(to(URI.create("http://127.0.0.1:" + port)).exchange(get("/pods"), OverSockets::text))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .isInstanceOf(TransportException.class)
                        .hasMessage("cannot reach http://127.0.0.1:" + port
                                + ": connection refused; is the server running, and is this its port?")
                        .hasStackTraceContaining("Connection refused")
                        .satisfies(SocketFailuresTest::holdsNoSecret))
                .verify(LIMIT);
    }

    @Test
    void aPortMayHaveOneDigit() {
        StepVerifier.create(to(URI.create("http://127.0.0.1:1")).exchange(get("/pods"), OverSockets::text))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .hasMessageStartingWith("cannot reach http://127.0.0.1:1: connection refused"))
                .verify(LIMIT);
    }

    @Test
    void anUnknownHostIsNamed() {
        StepVerifier.create(to(URI.create("http://no-such-host.invalid:80")).exchange(get("/pods"), OverSockets::text))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .hasMessageStartingWith("cannot reach http://no-such-host.invalid:80: there is no host no-such-host.invalid"))
                .verify(LIMIT);
    }

    @Test
    void theJavaRuntimeMayResolveNames() throws IOException {
        var options = TransportOptions.defaults().withJvmResolver(true);
        try (RawPeer peer = sayingOne()) {
            StepVerifier.create(to(URI.create("http://localhost:" + peer.address().getPort()), options)
                    .exchange(get("/pods"), OverSockets::text).take(1))
                    .expectNext("one").expectComplete().verify(LIMIT);
        }
        StepVerifier.create(to(URI.create("http://no-such-host.invalid:80"), options).exchange(get("/pods"), OverSockets::text))
                .expectErrorSatisfies(failure -> assertThat(failure)
                        .hasMessageStartingWith("cannot reach http://no-such-host.invalid:80: there is no host no-such-host.invalid")
                        .hasStackTraceContaining("java.net.InetAddress"))
                .verify(LIMIT);
    }

    @Test
    void headersThatAreTooLargeAreAFailureOfOurs() throws IOException {
        try (RawPeer peer = RawPeer.start(line -> line.send("HTTP/1.1 200 OK\r\nX-Long: " + "x".repeat(100_000) + "\r\n\r\n"))) {
            StepVerifier.create(to(peer.address()).exchange(get("/pods"), OverSockets::text))
                    .expectErrorSatisfies(failure -> assertThat(failure).isInstanceOf(TransportException.class)
                            .hasMessageContaining("the answer is not valid HTTP"))
                    .verify(LIMIT);
        }
    }

    /** A black hole: it accepts, and is then silent. */
    @Test
    void aPeerThatNeverAnswersTheHandshakeIsGivenUp() throws IOException {
        try (RawPeer peer = RawPeer.start(line -> { })) {
            URI address = URI.create(peer.address().toString().replace("http:", "https:"));
            StepVerifier.create(to(address, TransportOptions.defaults().withConnectTimeout(Duration.ofMillis(500)))
                    .exchange(get("/pods"), OverSockets::text))
                    .expectErrorMessage("cannot reach " + address + ": no TLS handshake within the time limit; does this port speak TLS?")
                    .verify(LIMIT);
        }
    }

    private static void holdsNoSecret(Throwable failure) {
        for (Throwable at = failure; at != null; at = at.getCause()) {
            assertThat(String.valueOf(at.getMessage())).doesNotContain("s3cret");
        }
    }

    private static void reset(RawPeer.Line line) {
        try {
            line.reset();
        } catch (IOException broken) {
            throw new AssertionError(broken);
        }
    }
}
