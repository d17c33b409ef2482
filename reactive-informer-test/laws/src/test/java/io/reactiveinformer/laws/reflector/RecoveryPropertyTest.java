package io.reactiveinformer.laws.reflector;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.DeltaStage;
import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import java.time.Duration;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

/** Law 17: whatever happens on the wire, once it stops happening the store equals the server. */
@Tag("long")
class RecoveryPropertyTest {

    private static final int SEEDS = 1_500;

    /** Thousands of times what one round takes: a round that needs longer hangs. */
    private static final Duration ONE_SEED = Duration.ofSeconds(30);

    /** {@code -Drecovery.seed} and {@code -Drecovery.seeds} play the ones of a failure again. */
    @Test
    @Timeout(value = 30, unit = TimeUnit.MINUTES) // as many seeds as one asks for
    void onceTheServerBehavesTheStoreEqualsIt() {
        for (long seed : Rounds.seeds("recovery", SEEDS)) {
            play(seed);
        }
    }

    /** While the cache lagged, the server was restored, and then the same object changed and went at the same versions as before. */
    @Test
    void aWitnessThatAnotherHistoryHasTooIsFoundOutLater() {
        play(20_271_274);
    }

    private static void play(long seed) {
        try {
            var run = new Run(seed);
            assertTimeoutPreemptively(ONE_SEED, run::play);
        } catch (Throwable failure) {
            fail("-Drecovery.seed=" + seed + " -Drecovery.seeds=1", failure);
        }
    }

    private static final class Run {
        private final Random random;
        private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
        private final WhimsicalServer server;
        private final Store<String> store = Store.create();
        private Throwable end;

        Run(long seed) {
            random = new Random(seed);
            server = new WhimsicalServer(random, clock);
        }

        void play() {
            ReflectorOptions options = ReflectorOptions.defaults()
                    .withTimer(clock).withRandom(random::nextDouble).withStreaming(random.nextBoolean())
                    .withPageSize(1 + random.nextInt(4));
            Reflector.of(server, store, options).events().transform(DeltaStage.over(store)).subscribe(new Writer(random.nextBoolean()));
            for (int step = 0; step < 60; step++) {
                clock.advanceTimeBy(Duration.ofMillis(random.nextInt(1 << random.nextInt(20))));
                server.write();
                if (random.nextInt(6) == 0) {
                    server.mishap();
                }
            }
            int fate = random.nextInt(6);
            if (fate < 2) {
                server.restore();
            } else if (fate == 2) {
                server.overtake();
            } else if (fate == 3) {
                server.restoreAndGoOn();
            }
            server.behave();
            clock.advanceTimeBy(Duration.ofHours(1));
            if (store.stale().isEmpty()) {
                assertThat(cached()).isEqualTo(server.objects());
            }
            server.touchAll();
            clock.advanceTimeBy(Duration.ofMinutes(10));
            assertThat(end).isNull();
            assertThat(cached()).isEqualTo(server.objects());
            assertThat(store.stale()).isEmpty();
            assertThat(store.reached(Namespaces.all())).isEqualTo(server.version());
        }

        private Map<ObjectKey, Versioned<String>> cached() {
            Map<ObjectKey, Versioned<String>> cached = new TreeMap<>();
            store.snapshot().forEach(cached::put);
            return cached;
        }

        /** Applies each delta before it requests the next: at once, or when it comes to it. */
        private final class Writer extends BaseSubscriber<Delta<String>> {
            private final boolean slow;

            Writer(boolean slow) {
                this.slow = slow;
            }

            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                request(slow ? 1 : Long.MAX_VALUE);
            }

            @Override
            protected void hookOnNext(Delta<String> delta) {
                String before = store.reached(Namespaces.all());
                store.apply(delta);
                if (ResourceVersion.isNewer(before, store.reached(Namespaces.all()))
                        && !(delta instanceof Delta.Replaced<String> replaced && replaced.newEpoch())) {
                    end = new AssertionError("went back from " + before + " by " + delta);
                }
                if (slow) {
                    Mono.delay(Duration.ofMillis(random.nextInt(3_000)), clock).subscribe(tick -> request(1));
                }
            }

            @Override
            protected void hookOnError(Throwable failure) {
                end = failure;
            }
        }
    }
}
