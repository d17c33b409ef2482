package io.reactiveinformer.delta;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.client.Known;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.publisher.TestPublisher;
import reactor.test.util.RaceTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/** One signal against one other, from a fixed state, so that nothing later makes up for what was lost. */
class DeltaRacesTest {

    private static final int ROUNDS = Rounds.races(5_000);

    private final TestPublisher<ReflectorEvent<String>> events = TestPublisher.create();
    private final Taking taken = new Taking();

    @Test
    void anEventAgainstARequest() {
        for (int round = 0; round < ROUNDS; round++) {
            var race = new DeltaRacesTest();
            race.start(0);
            RaceTestUtils.race(() -> race.events.next(upserted(1)), () -> race.taken.request(1));
            assertThat(race.taken.got).hasSize(1);
        }
    }

    @Test
    void theEndAgainstARequest() {
        for (int round = 0; round < ROUNDS; round++) {
            var race = new DeltaRacesTest();
            race.start(0);
            race.events.next(upserted(1));
            RaceTestUtils.race(race.events::complete, () -> race.taken.request(1));
            assertThat(race.taken.got).hasSize(1);
            assertThat(race.taken.completed).isTrue();
        }
    }

    @Test
    void anEventAgainstACancellation() {
        for (int round = 0; round < ROUNDS; round++) {
            var race = new DeltaRacesTest();
            race.start(Long.MAX_VALUE);
            RaceTestUtils.race(() -> race.events.next(upserted(1)), race.taken::cancel);
            assertThat(race.taken.got).hasSizeLessThanOrEqualTo(1);
            race.events.assertCancelled();
        }
    }

    private void start(long demand) {
        events.flux().transform(DeltaStage.over(Known.none())).subscribe(taken);
        if (demand > 0) {
            taken.request(demand);
        }
    }

    private static ReflectorEvent<String> upserted(int i) {
        return new ReflectorEvent.Received<>(Namespaces.all(),
                new ObjectEvent.Applied<>(ObjectKey.clusterScoped("k"), new Versioned<>("u", String.valueOf(i), "v")));
    }

    private static final class Taking extends BaseSubscriber<Delta<String>> {
        private final List<Delta<String>> got = new ArrayList<>();
        private volatile boolean completed;

        @Override
        protected void hookOnSubscribe(Subscription subscription) {
            // demand comes later
        }

        @Override
        protected void hookOnNext(Delta<String> delta) {
            got.add(delta);
        }

        @Override
        protected void hookOnComplete() {
            completed = true;
        }
    }
}
