package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Exceptions;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static io.reactiveinformer.internal.codec.Letters.chunk;
import static org.assertj.core.api.Assertions.assertThat;

@Timeout(30)
class FluxCutTest {

    private final Letters letters = new Letters();
    private final TestPublisher<ByteBuf> body = TestPublisher.create();
    private final FluxCut<Character> cut = new FluxCut<>(body.flux(), letters);

    @Test
    void readsAsMuchAsIsRequested() {
        StepVerifier.create(cut, 0)
                .then(() -> body.next(chunk("abc")))
                .then(() -> assertThat(letters.read).isZero())
                .thenRequest(1).expectNext('a')
                .then(() -> assertThat(letters.read).isEqualTo(1))
                .thenRequest(5).expectNext('b', 'c')
                .then(() -> body.next(chunk("de")))
                .expectNext('d', 'e')
                .then(body::complete)
                .verifyComplete();
    }

    @Test
    void requestsTheNextChunkWhenNothingIsLeft() {
        StepVerifier.create(cut, 0)
                .then(() -> body.assertMinRequested(1).assertMaxRequested(1).next(chunk("ab")))
                .then(() -> body.assertMaxRequested(0))
                .thenRequest(1).expectNext('a')
                .then(() -> body.assertMaxRequested(0))
                .thenRequest(1).expectNext('b')
                .then(() -> body.assertMinRequested(1).assertMaxRequested(1).next(chunk("__")))
                .then(() -> body.assertMinRequested(1).assertMaxRequested(1))
                .thenCancel().verify();
        body.assertCancelled();
    }

    @Test
    void endsWithoutARequestOnceAllIsDelivered() {
        StepVerifier.create(cut, 0)
                .then(() -> body.next(chunk("a")).complete())
                .thenRequest(1).expectNext('a')
                .verifyComplete();
        StepVerifier.create(new FluxCut<>(Flux.empty(), new Letters()), 0).verifyComplete();
    }

    @Test
    void failsAtOnceWithItsBody() {
        StepVerifier.create(cut, 1)
                .then(() -> body.next(chunk("abc")))
                .expectNext('a')
                .then(() -> body.error(new IllegalStateException("cut off")))
                .verifyErrorMessage("cut off");
        assertThat(letters.read).isEqualTo(1);
    }

    @Test
    void failsWhereItsBodyMustNotEnd() {
        StepVerifier.create(new FluxCut<>(Flux.just(chunk("a,")), letters))
                .expectNext('a', ',')
                .verifyErrorMessage("a body that broke off");
    }

    @Test
    void leavesTheBodyWhereItCannotBeRead() {
        StepVerifier.create(cut)
                .then(() -> body.next(chunk("a!b")))
                .expectNext('a')
                .verifyErrorMessage("a letter that cannot be read");
        body.assertCancelled();
        assertThat(letters.read).isEqualTo(2);
    }

    @Test
    void leavesTheBodyWhenItIsCancelledInTheMidstOfAChunk() {
        StepVerifier.create(cut.takeUntil(letter -> letter == 'b'))
                .then(() -> body.next(chunk("abc")))
                .expectNext('a', 'b')
                .verifyComplete();
        body.assertCancelled();
        assertThat(letters.read).isEqualTo(2);
    }

    /** Reactor would let it through to who delivers, and end nothing: then the subscriber would wait for ever. */
    @Test
    void failsWithTheJvm() {
        StepVerifier.create(cut)
                .then(() -> body.next(chunk("a?")))
                .expectNext('a')
                .verifyErrorSatisfies(failure -> assertThat(failure).hasCauseInstanceOf(LinkageError.class));
        body.assertCancelled();
    }

    @Test
    void failsWhereItsBodyHeedsNoRequests() {
        TestPublisher<ByteBuf> heedless = TestPublisher.createNoncompliant(TestPublisher.Violation.REQUEST_OVERFLOW);
        StepVerifier.create(new FluxCut<>(heedless.flux(), letters), 1)
                .then(() -> heedless.next(chunk("ab")).next(chunk("c")))
                .expectNext('a')
                .verifyErrorMatches(Exceptions::isOverflow);
        heedless.assertCancelled();
    }

    /** Were each chunk a call in the one before, the stack would not suffice. */
    @Test
    void takesAnyNumberOfChunksThatComeAtOnce() {
        StepVerifier.create(new FluxCut<>(Flux.range(0, 200_000).map(i -> chunk(i % 2 == 0 ? "_" : "a")), letters).count())
                .expectNext(100_000L)
                .verifyComplete();
    }

    /** Chunks come in one thread, requests in another: what is missed by either would stop it. */
    @RepeatedTest(20)
    void missesNeitherChunksNorRequests() {
        List<String> chunks = IntStream.range(0, 2_000).mapToObj(i -> "abcdefg".substring(i % 7)).toList();
        Flux<ByteBuf> elsewhere = Flux.fromIterable(chunks).map(Letters::chunk).publishOn(Schedulers.parallel(), 1);
        String read = new FluxCut<>(elsewhere, letters).publishOn(Schedulers.parallel(), 3)
                .map(String::valueOf).collect(Collectors.joining()).block(Duration.ofSeconds(20));
        assertThat(read).isEqualTo(String.join("", chunks));
    }
}
