package io.reactiveinformer.view;

import io.reactiveinformer.resource.Versioned;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;
import org.reactivestreams.Subscription;
import reactor.core.Scannable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Schedulers;
import reactor.test.util.RaceTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One signal against one other, from a fixed state, thousands of times. Delivered on the racing threads themselves, so that after a round
 * everything that must have come has come. Planted once, and caught: a lost wake-up, by a drain that sets its count to zero at the end; an end
 * that does not wait for what is pending.
 */
@ParameterizedClass
@EnumSource
class ChangeRacesTest {

    /** Who tells subscribers of commits. */
    enum Way {
        WRITER {
            @Override
            Rows complete() {
                return Rows.complete();
            }

            @Override
            Rows incomplete() {
                return Rows.incomplete();
            }
        },
        RELAY {
            @Override
            Rows complete() {
                return Rows.relayed(true, Schedulers.immediate());
            }

            @Override
            Rows incomplete() {
                return Rows.relayed(false, Schedulers.immediate());
            }
        };

        abstract Rows complete();

        abstract Rows incomplete();
    }

    @Parameter
    Way way;

    private static final int ROUNDS = 5_000;
    private static final Delivery AT_ONCE = Delivery.on(Schedulers.immediate());

    /** Folds what it hears, and refuses what does not fit. */
    static class Folding extends BaseSubscriber<Change<String, String>> {
        final Map<String, Versioned<String>> known = new HashMap<>();
        final CountDownLatch over = new CountDownLatch(1);
        final AtomicInteger running = new AtomicInteger();
        volatile Subscription subscription;
        volatile boolean synced;
        volatile boolean completed;
        volatile Throwable failure;

        Folding(long demand) {
            this.demand = demand;
        }

        private final long demand;

        @Override
        protected void hookOnSubscribe(Subscription upstream) {
            subscription = upstream;
            if (demand > 0) {
                upstream.request(demand);
            }
        }

        @Override
        protected void hookOnNext(Change<String, String> change) {
            assertThat(running.getAndIncrement()).as("one signal at a time").isZero();
            change.<Runnable>fold(
                            added -> () -> assertThat(known.put(added.key(), added.entry())).as("%s is new", added).isNull(),
                            updated -> () -> assertThat(known.put(updated.key(), updated.to())).as("%s", updated).isSameAs(updated.from()),
                            deleted -> () -> assertThat(known.remove(deleted.key())).as("%s", deleted).isSameAs(deleted.entry()),
                            done -> () -> {
                                assertThat(synced).as("synced once").isFalse();
                                synced = true;
                            })
                    .run();
            running.decrementAndGet();
        }

        @Override
        protected void hookOnComplete() {
            completed = true;
        }

        @Override
        protected void hookFinally(SignalType signal) {
            over.countDown();
        }

        @Override
        protected void hookOnError(Throwable thrown) {
            failure = thrown;
        }

        void checkKnows(Rows rows) {
            assertThat(failure).isNull();
            Map<String, Versioned<String>> there = new HashMap<>();
            rows.snapshot().forEach(there::put);
            assertThat(known).isEqualTo(there);
            assertThat(synced).isTrue();
        }
    }

    @Test
    void publishAgainstRequest() {
        for (int round = 0; round < ROUNDS; round++) {
            Rows rows = way.complete();
            var subscriber = new Folding(1); // for Synced
            rows.hub.changes(AT_ONCE).subscribe(subscriber);
            RaceTestUtils.race(() -> rows.put("a", "u", 1), () -> subscriber.request(1));
            subscriber.checkKnows(rows);
        }
    }

    @Test
    void publishAgainstPublishWhileRequestingOneByOne() {
        for (int round = 0; round < ROUNDS; round++) {
            Rows rows = way.complete().put("a", "u", 1).put("b", "u", 2);
            var subscriber = new Folding(0);
            rows.hub.changes(AT_ONCE).subscribe(subscriber);
            RaceTestUtils.race(() -> rows.put("a", "u", 3).remove("b", 4).put("c", "u", 5), () -> {
                for (int i = 0; i < 6; i++) {
                    subscriber.request(1);
                }
            });
            subscriber.checkKnows(rows);
        }
    }

    /** Stream scenario 50. */
    @Test
    void publishAgainstSubscribe() {
        for (int round = 0; round < ROUNDS; round++) {
            Rows rows = way.complete().put("a", "u", 1);
            var subscriber = new Folding(Long.MAX_VALUE);
            RaceTestUtils.race(() -> rows.put("a", "u", 2).put("b", "u", 3), () -> rows.hub.changes(AT_ONCE).subscribe(subscriber));
            subscriber.checkKnows(rows);
        }
    }

    @Test
    void firstCompleteRowsAgainstSubscribe() {
        for (int round = 0; round < ROUNDS; round++) {
            Rows rows = way.incomplete().edit("a", "u", 1);
            var subscriber = new Folding(Long.MAX_VALUE);
            RaceTestUtils.race(rows::commit, () -> rows.hub.changes(AT_ONCE).subscribe(subscriber));
            subscriber.checkKnows(rows);
        }
    }

    @Test
    void publishAgainstCancel() {
        for (int round = 0; round < ROUNDS; round++) {
            Rows rows = way.complete();
            var subscriber = new Folding(1);
            rows.hub.changes(AT_ONCE).subscribe(subscriber);
            RaceTestUtils.race(() -> rows.put("a", "u", 1).put("b", "u", 2), subscriber::cancel);
            assertThat(rows.hub.followers()).isZero();
            assertThat(Scannable.from(subscriber.subscription).scan(Scannable.Attr.BUFFERED)).isZero();
        }
    }

    @Test
    void subscribeAgainstCancel() {
        for (int round = 0; round < ROUNDS; round++) {
            Rows rows = way.complete().put("a", "u", 1);
            var subscriber = new Folding(Long.MAX_VALUE);
            RaceTestUtils.race(() -> rows.hub.changes(AT_ONCE).subscribe(subscriber), subscriber::cancel);
            if (subscriber.isDisposed()) {
                assertThat(rows.hub.followers()).isZero();
            }
        }
    }

    @Test
    void completeAgainstRequest() {
        for (int round = 0; round < ROUNDS; round++) {
            Rows rows = way.complete().put("a", "u", 1);
            var subscriber = new Folding(1);
            rows.hub.changes(AT_ONCE).subscribe(subscriber);
            RaceTestUtils.race(rows.hub::complete, () -> subscriber.request(1));
            subscriber.checkKnows(rows);
            assertThat(subscriber.completed).isTrue();
        }
    }

    @Test
    void completeAgainstSubscribe() {
        for (int round = 0; round < ROUNDS; round++) {
            Rows rows = way.complete().put("a", "u", 1);
            var subscriber = new Folding(Long.MAX_VALUE);
            RaceTestUtils.race(rows.hub::complete, () -> rows.hub.changes(AT_ONCE).subscribe(subscriber));
            subscriber.checkKnows(rows);
            assertThat(subscriber.completed).isTrue();
            assertThat(rows.hub.followers()).isZero();
        }
    }

    @Test
    void failAgainstRequest() {
        for (int round = 0; round < ROUNDS; round++) {
            Rows rows = way.complete().put("a", "u", 1);
            var subscriber = new Folding(1);
            var reason = new IllegalStateException("given up");
            rows.hub.changes(AT_ONCE).subscribe(subscriber);
            RaceTestUtils.race(() -> rows.hub.fail(reason), () -> subscriber.request(1));
            assertThat(subscriber.failure).isSameAs(reason);
            assertThat(rows.hub.followers()).isZero();
        }
    }

    /** Everything at once, on the workers that users get: come, go, stall, and keep up. */
    @Test
    void manySubscribersBesideAWriterAllEndUpWithTheSameRows() throws InterruptedException {
        Rows rows = way.complete();
        List<Folding> subscribers = new ArrayList<>();
        var random = ThreadLocalRandom.current();
        int version = 1;
        for (int round = 0; round < 20_000; round++) {
            if (round % 500 == 0) {
                var subscriber = new Folding(round % 1_000 == 0 ? Long.MAX_VALUE : 3);
                subscribers.add(subscriber);
                rows.hub.changes(Delivery.conflated()).subscribe(subscriber);
            }
            String key = "k" + random.nextInt(50);
            if (random.nextInt(4) == 0) {
                rows.remove(key, version++);
            } else {
                rows.put(key, "u" + random.nextInt(2), version++);
            }
            if (round % 7 == 0) {
                subscribers.get(random.nextInt(subscribers.size())).request(1 + random.nextInt(5));
            }
        }
        rows.hub.complete();
        for (Folding subscriber : subscribers) {
            subscriber.request(Long.MAX_VALUE);
            assertThat(subscriber.over.await(20, TimeUnit.SECONDS)).as("ended").isTrue();
            subscriber.checkKnows(rows);
        }
    }
}
