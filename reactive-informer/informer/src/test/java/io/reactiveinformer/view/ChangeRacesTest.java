package io.reactiveinformer.view;

import io.reactiveinformer.Rounds;
import io.reactiveinformer.internal.informer.SharedThreads;
import io.reactiveinformer.resource.Versioned;
import java.time.Duration;
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
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.util.RaceTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One signal against one other, from a fixed state, thousands of times. Delivered on the racing threads themselves, or on the threads that
 * users get; then a round waits until what must come has come, and sends nothing more meanwhile, which would make up for a lost wake-up.
 * Planted once, and caught: a lost wake-up, by a drain, and by a relay, that sets its count to zero at the end; an end that does not wait
 * for what is pending.
 */
@ParameterizedClass
@EnumSource
class ChangeRacesTest {

    /** What notifies subscribers of commits, and on which thread. */
    enum Way {
        WRITER, RELAY, RELAY_ON_PARALLEL, RELAY_ON_BOUNDED_ELASTIC, RELAY_ON_SHARED_THREADS;

        private Scheduler scheduler() {
            return switch (this) {
                case WRITER, RELAY -> Schedulers.immediate();
                case RELAY_ON_PARALLEL -> Schedulers.parallel();
                case RELAY_ON_BOUNDED_ELASTIC -> Schedulers.boundedElastic();
                case RELAY_ON_SHARED_THREADS -> SharedThreads.ofChanges();
            };
        }

        Delivery delivery() {
            return Delivery.conflated().on(scheduler());
        }

        Rows complete() {
            return this == WRITER ? Rows.complete() : Rows.relayed(true, scheduler());
        }

        Rows incomplete() {
            return this == WRITER ? Rows.incomplete() : Rows.relayed(false, scheduler());
        }

        int rounds() {
            return Rounds.races(this == WRITER || this == RELAY ? 5_000 : 500);
        }
    }

    @Parameter
    Way way;

    private static final Duration PATIENCE = Duration.ofSeconds(20);

    /** Replays what it receives, and refuses what does not fit. */
    static class Replaying extends BaseSubscriber<Change<String, String>> {
        final Map<String, Versioned<String>> known = new HashMap<>();
        final CountDownLatch over = new CountDownLatch(1);
        final AtomicInteger running = new AtomicInteger();
        volatile Subscription subscription;
        volatile boolean synced;
        volatile boolean completed;
        volatile Throwable failure;

        Replaying(long demand) {
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
            synchronized (known) {
                replay(change);
                known.notifyAll();
            }
            running.decrementAndGet();
        }

        private void replay(Change<String, String> change) {
            change.accept(
                    added -> assertThat(known.put(added.key(), added.entry())).as("%s is new", added).isNull(),
                    updated -> assertThat(known.put(updated.key(), updated.entryAfter())).as("%s", updated).isSameAs(updated.entryBefore()),
                    deleted -> assertThat(known.remove(deleted.key())).as("%s", deleted).isSameAs(deleted.entry()),
                    done -> {
                        assertThat(synced).as("synced once").isFalse();
                        synced = true;
                    });
        }

        @Override
        protected void hookOnComplete() {
            completed = true;
        }

        @Override
        protected void hookFinally(SignalType signal) {
            over.countDown();
            synchronized (known) {
                known.notifyAll();
            }
        }

        @Override
        protected void hookOnError(Throwable thrown) {
            failure = thrown;
        }

        void checkKnows(Rows rows) {
            assertThat(failure).isNull();
            assertThat(known).isEqualTo(there(rows));
            assertThat(synced).isTrue();
        }

        private static Map<String, Versioned<String>> there(Rows rows) {
            Map<String, Versioned<String>> there = new HashMap<>();
            rows.snapshot().forEach(there::put);
            return there;
        }

        /** Waits until it has received all that there is to emit, then leaves. */
        void awaitKnows(Rows rows) throws InterruptedException {
            Map<String, Versioned<String>> there = there(rows);
            long patience = System.nanoTime() + PATIENCE.toNanos();
            synchronized (known) {
                while (!(synced && known.equals(there)) && over.getCount() > 0 && System.nanoTime() < patience) {
                    TimeUnit.NANOSECONDS.timedWait(known, patience - System.nanoTime());
                }
                checkKnows(rows);
            }
            cancel();
        }

        void awaitEnd() throws InterruptedException {
            assertThat(over.await(PATIENCE.toSeconds(), TimeUnit.SECONDS)).as("ended").isTrue();
        }
    }

    @Test
    void publishAgainstRequest() throws InterruptedException {
        for (int round = 0; round < way.rounds(); round++) {
            Rows rows = way.complete();
            var subscriber = new Replaying(1); // for Synced
            rows.hub.changes(way.delivery()).subscribe(subscriber);
            RaceTestUtils.race(() -> rows.put("a", "u", 1), () -> subscriber.request(1));
            subscriber.awaitKnows(rows);
        }
    }

    @Test
    void publishAgainstPublishWhileRequestingOneByOne() throws InterruptedException {
        for (int round = 0; round < way.rounds(); round++) {
            Rows rows = way.complete().put("a", "u", 1).put("b", "u", 2);
            var subscriber = new Replaying(0);
            rows.hub.changes(way.delivery()).subscribe(subscriber);
            RaceTestUtils.race(() -> rows.put("a", "u", 3).remove("b", 4).put("c", "u", 5), () -> {
                for (int i = 0; i < 6; i++) {
                    subscriber.request(1);
                }
            });
            subscriber.awaitKnows(rows);
        }
    }

    /** Stream scenario 50. */
    @Test
    void publishAgainstSubscribe() throws InterruptedException {
        for (int round = 0; round < way.rounds(); round++) {
            Rows rows = way.complete().put("a", "u", 1);
            var subscriber = new Replaying(Long.MAX_VALUE);
            RaceTestUtils.race(() -> rows.put("a", "u", 2).put("b", "u", 3), () -> rows.hub.changes(way.delivery()).subscribe(subscriber));
            subscriber.awaitKnows(rows);
        }
    }

    @Test
    void firstCompleteRowsAgainstSubscribe() throws InterruptedException {
        for (int round = 0; round < way.rounds(); round++) {
            Rows rows = way.incomplete().edit("a", "u", 1);
            var subscriber = new Replaying(Long.MAX_VALUE);
            RaceTestUtils.race(rows::commit, () -> rows.hub.changes(way.delivery()).subscribe(subscriber));
            subscriber.awaitKnows(rows);
        }
    }

    @Test
    void publishAgainstCancel() {
        for (int round = 0; round < way.rounds(); round++) {
            Rows rows = way.complete();
            var subscriber = new Replaying(1);
            rows.hub.changes(way.delivery()).subscribe(subscriber);
            RaceTestUtils.race(() -> rows.put("a", "u", 1).put("b", "u", 2), subscriber::cancel);
            assertThat(rows.hub.followers()).isZero();
            assertThat(Scannable.from(subscriber.subscription).scan(Scannable.Attr.BUFFERED)).isZero();
        }
    }

    @Test
    void subscribeAgainstCancel() {
        for (int round = 0; round < way.rounds(); round++) {
            Rows rows = way.complete().put("a", "u", 1);
            var subscriber = new Replaying(Long.MAX_VALUE);
            RaceTestUtils.race(() -> rows.hub.changes(way.delivery()).subscribe(subscriber), subscriber::cancel);
            if (subscriber.isDisposed()) {
                assertThat(rows.hub.followers()).isZero();
            }
        }
    }

    @Test
    void completeAgainstRequest() throws InterruptedException {
        for (int round = 0; round < way.rounds(); round++) {
            Rows rows = way.complete().put("a", "u", 1);
            var subscriber = new Replaying(1);
            rows.hub.changes(way.delivery()).subscribe(subscriber);
            RaceTestUtils.race(rows.hub::complete, () -> subscriber.request(1));
            subscriber.awaitEnd();
            subscriber.checkKnows(rows);
            assertThat(subscriber.completed).isTrue();
        }
    }

    @Test
    void completeAgainstSubscribe() throws InterruptedException {
        for (int round = 0; round < way.rounds(); round++) {
            Rows rows = way.complete().put("a", "u", 1);
            var subscriber = new Replaying(Long.MAX_VALUE);
            RaceTestUtils.race(rows.hub::complete, () -> rows.hub.changes(way.delivery()).subscribe(subscriber));
            subscriber.awaitEnd();
            subscriber.checkKnows(rows);
            assertThat(subscriber.completed).isTrue();
            assertThat(rows.hub.followers()).isZero();
        }
    }

    @Test
    void failAgainstRequest() throws InterruptedException {
        for (int round = 0; round < way.rounds(); round++) {
            Rows rows = way.complete().put("a", "u", 1);
            var subscriber = new Replaying(1);
            var reason = new IllegalStateException("given up");
            rows.hub.changes(way.delivery()).subscribe(subscriber);
            RaceTestUtils.race(() -> rows.hub.fail(reason), () -> subscriber.request(1));
            subscriber.awaitEnd();
            assertThat(subscriber.failure).isSameAs(reason);
            assertThat(rows.hub.followers()).isZero();
        }
    }

    /** Everything at once, on the workers that users get: come, go, stall, and keep up. */
    @Test
    void manySubscribersBesideAWriterAllEndUpWithTheSameRows() throws InterruptedException {
        Rows rows = way.complete();
        List<Replaying> subscribers = new ArrayList<>();
        var random = ThreadLocalRandom.current();
        int version = 1;
        for (int round = 0; round < 20_000; round++) {
            if (round % 500 == 0) {
                var subscriber = new Replaying(round % 1_000 == 0 ? Long.MAX_VALUE : 3);
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
        for (Replaying subscriber : subscribers) {
            subscriber.request(Long.MAX_VALUE);
            subscriber.awaitEnd();
            subscriber.checkKnows(rows);
        }
    }
}
