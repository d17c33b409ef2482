package io.reactiveinformer.transport;

import io.reactiveinformer.resource.TransportException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Sinks;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class SilenceTimerTest extends OverSockets {

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final CountDownLatch asked = new CountDownLatch(1);

    @Test
    void silenceBeforeTheHeadersEndsTheRequest() throws Exception {
        try (RawPeer peer = sayingNothing()) {
            Transport transport = to(peer.address(), afterSeconds(75));
            StepVerifier.create(transport.exchange(get("/pods"), OverSockets::text))
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
        try (RawPeer peer = sayingNothing()) {
            Transport transport = to(peer.address(), afterSeconds(75));
            StepVerifier.create(transport.exchange(get("/pods"), OverSockets::text))
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
        try (RawPeer peer = sayingNothing()) {
            Transport transport = to(peer.address(), afterSeconds(75));
            StepVerifier.create(transport.exchange(get("/pods"), OverSockets::text))
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
    void silenceWithinTheBodyCountsFromTheLastByte() throws Exception {
        try (RawPeer peer = sayingOne()) {
            HttpRequest watch = get("/pods").withSilence(Duration.ofSeconds(10));
            StepVerifier.create(to(peer.address(), afterSeconds(75)).exchange(watch, OverSockets::text))
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
        try (RawPeer peer = sayingOne()) {
            StepVerifier.create(to(peer.address(), afterSeconds(10)).exchange(get("/pods"), OverSockets::text), 1)
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

    /** Who follows a log is patient with what is written; a peer that never answers writes nothing. */
    @Test
    void patienceWithABodyIsNoPatienceWithAPeerThatNeverAnswers() throws Exception {
        try (RawPeer peer = sayingNothing()) {
            HttpRequest patient = get("/log").withSilence(Duration.ofDays(365));
            StepVerifier.create(to(peer.address(), afterSeconds(75)).exchange(patient, OverSockets::text))
                    .then(() -> await(asked))
                    .then(() -> timer.advanceTimeBy(Duration.ofSeconds(75)))
                    .expectErrorMessage("no answer from " + peer.address() + " to GET /log within 75 s")
                    .verify(LIMIT);
            assertThat(peer.lines().get(0).hungUpWithin(5)).isTrue();
        }
    }

    @Test
    void patienceWithABodyBeginsWithItsHeaders() throws Exception {
        try (RawPeer peer = sayingOne()) {
            HttpRequest patient = get("/log").withSilence(Duration.ofDays(365));
            StepVerifier.create(to(peer.address(), afterSeconds(75)).exchange(patient, OverSockets::text))
                    .expectNext("one")
                    .then(() -> timer.advanceTimeBy(Duration.ofDays(300)))
                    .then(() -> send(peer.lines().get(0), "3\r\ntwo\r\n"))
                    .expectNext("two")
                    .then(() -> timer.advanceTimeBy(Duration.ofDays(365)))
                    .expectErrorSatisfies(failure -> assertThat(failure).hasMessageContaining("GET /log stopped: silence for"))
                    .verify(LIMIT);
        }
    }

    /** The headers are there, and nobody has asked for the body yet. */
    @Test
    void aReaderThatHasNotBegunIsNotKeptWaiting() throws Exception {
        Sinks.Empty<Void> begin = Sinks.empty();
        var answered = new CountDownLatch(1);
        try (RawPeer peer = sayingOne()) {
            StepVerifier.create(to(peer.address(), afterSeconds(10)).exchange(get("/pods"), answer -> {
                        answered.countDown();
                        return begin.asMono().thenMany(text(answer));
                    }))
                    .then(() -> await(answered))
                    .then(() -> timer.advanceTimeBy(Duration.ofHours(1)))
                    .then(begin::tryEmitEmpty)
                    .expectNext("one")
                    .thenCancel()
                    .verify(LIMIT);
        }
    }

    private TransportOptions afterSeconds(int seconds) {
        return TransportOptions.defaults().withSilence(Duration.ofSeconds(seconds), timer);
    }

    private RawPeer sayingNothing() throws IOException {
        return RawPeer.start(line -> asked.countDown());
    }
}
