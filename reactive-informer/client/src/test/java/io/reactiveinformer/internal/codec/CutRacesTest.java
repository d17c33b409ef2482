package io.reactiveinformer.internal.codec;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.Rounds;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscriber;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.publisher.TestPublisher;
import reactor.test.util.RaceTestUtils;

import static io.reactiveinformer.internal.codec.Letters.chunk;
import static org.assertj.core.api.Assertions.assertThat;

/** One signal against one other, from a fixed state, so that nothing later makes up for what was lost. */
@Timeout(60)
class CutRacesTest {

    private static final int ROUNDS = Rounds.races(5_000);

    private final TestPublisher<ByteBuf> body = TestPublisher.create();
    private final Taking taken = new Taking();

    @Test
    void aChunkAgainstARequest() {
        for (int round = 0; round < ROUNDS; round++) {
            var race = new CutRacesTest();
            race.start();
            RaceTestUtils.race(() -> race.body.next(chunk("a")), () -> race.taken.request(5));
            assertThat(race.taken.got).containsExactly('a');
            race.body.assertMinRequested(1).assertMaxRequested(1);
        }
    }

    @Test
    void theEndAgainstARequest() {
        for (int round = 0; round < ROUNDS; round++) {
            var race = new CutRacesTest();
            race.start();
            race.body.next(chunk("ab"));
            RaceTestUtils.race(race.body::complete, () -> race.taken.request(2));
            assertThat(race.taken.got).containsExactly('a', 'b');
            assertThat(race.taken.completed).isTrue();
        }
    }

    @Test
    void aFailureAgainstARequest() {
        for (int round = 0; round < ROUNDS; round++) {
            var race = new CutRacesTest();
            race.start();
            race.body.next(chunk("a"));
            RaceTestUtils.race(() -> race.body.error(new IllegalStateException("cut off")), () -> race.taken.request(1));
            assertThat(race.taken.got).hasSizeLessThanOrEqualTo(1);
            assertThat(race.taken.failure).hasMessage("cut off");
        }
    }

    @Test
    void aChunkAgainstACancellation() {
        for (int round = 0; round < ROUNDS; round++) {
            var race = new CutRacesTest();
            race.start();
            race.taken.request(Long.MAX_VALUE);
            RaceTestUtils.race(() -> race.body.next(chunk("a")), race.taken::cancel);
            assertThat(race.taken.got).hasSizeLessThanOrEqualTo(1);
            race.body.assertCancelled();
        }
    }

    /** Requests never pause, so that each chunk comes while one is looked into: none must be taken for read that came meanwhile. */
    @Test
    void chunksAgainstRequestsWithoutAPause() throws InterruptedException {
        var chunks = new Chunks();
        new FluxCut<>(Flux.from(chunks), new Letters()).subscribe(taken);
        var delivering = new Thread(chunks::deliver);
        delivering.start();
        while (delivering.isAlive()) {
            taken.request(1);
        }
        delivering.join();
        assertThat(chunks.requestedTooEarly).isZero();
        assertThat(taken.got).hasSize(Chunks.COUNT);
    }

    /** A letter each, and each only when the one before has been asked for more. */
    private final class Chunks implements Publisher<ByteBuf>, Subscription {

        private static final int COUNT = 20_000;

        private volatile @Nullable Subscriber<? super ByteBuf> subscriber;
        private volatile int requested;
        private volatile int delivered;
        private int requestedTooEarly;

        @Override
        public void subscribe(Subscriber<? super ByteBuf> one) {
            subscriber = one;
            one.onSubscribe(this);
        }

        @Override
        public void request(long n) {
            if (delivered != taken.got.size()) {
                requestedTooEarly++;
            }
            requested = delivered + 1;
        }

        @Override
        public void cancel() {}

        void deliver() {
            for (int next = 1; next <= COUNT; next++) {
                while (requested < next) {
                    Thread.onSpinWait();
                }
                delivered = next;
                Objects.requireNonNull(subscriber).onNext(chunk("a"));
            }
        }
    }

    private void start() {
        new FluxCut<>(body.flux(), new Letters()).subscribe(taken);
    }

    private static final class Taking extends BaseSubscriber<Character> {
        private final List<Character> got = new ArrayList<>();
        private volatile boolean completed;
        private volatile @Nullable Throwable failure;

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            // demand comes later
        }

        @Override
        protected void hookOnNext(Character letter) {
            got.add(letter);
        }

        @Override
        protected void hookOnComplete() {
            completed = true;
        }

        @Override
        protected void hookOnError(Throwable thrown) {
            failure = thrown;
        }
    }
}
