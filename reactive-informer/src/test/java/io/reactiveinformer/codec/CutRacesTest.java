package io.reactiveinformer.codec;

import io.netty.buffer.ByteBuf;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.publisher.TestPublisher;
import reactor.test.util.RaceTestUtils;

import static io.reactiveinformer.codec.Letters.chunk;
import static org.assertj.core.api.Assertions.assertThat;

/** One signal against one other, from a fixed state, so that nothing later makes up for what was lost. */
@Timeout(60)
class CutRacesTest {

    private static final int ROUNDS = 5_000;

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
