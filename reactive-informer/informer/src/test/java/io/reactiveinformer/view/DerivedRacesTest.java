package io.reactiveinformer.view;

import io.reactiveinformer.Rounds;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.util.RaceTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * One signal against one other at a derived view, thousands of times, on real workers. Planted once, and caught: a worker that sets its
 * count to zero when it has worked, and so overlooks who woke it meanwhile.
 */
class DerivedRacesTest {

    private static final int ROUNDS = Rounds.races(3_000);
    private static final Duration LIMIT = Duration.ofSeconds(20);

    private static View<String, String> over(Rows rows, Scheduler scheduler) {
        Function<Runnable, Derived<String, String>> derivation = wake -> Derived.filter(rows.hub.feed(), row -> true, wake);
        return new DerivedView<>(derivation, () -> scheduler, Mono.empty(), delivery -> Flux.empty());
    }

    private static Map<String, String> there(Rows rows) {
        Map<String, String> there = new TreeMap<>();
        rows.snapshot().forEach((key, row) -> there.put(key, row.object()));
        return there;
    }

    /** Replays until what it knows is {@code expected}. */
    private static Mono<Map<String, String>> replayed(Flux<Change<String, String>> changes, Map<String, String> expected) {
        return changes.scan(new TreeMap<String, String>(), (known, change) -> {
                    change.accept(
                            added -> known.put(added.key(), added.object()),
                            updated -> known.put(updated.key(), updated.after()),
                            deleted -> known.remove(deleted.key()),
                            synced -> {});
                    return known;
                })
                .<Map<String, String>>map(known -> known)
                .filter(expected::equals)
                .next();
    }

    @Test
    void completeAgainstSubscribe() throws InterruptedException {
        for (int round = 0; round < ROUNDS; round++) {
            Rows rows = Rows.complete().put("a", "u", 1).put("b", "u", 2);
            var received = new AtomicInteger();
            var over = new CountDownLatch(1);
            Flux<Change<String, String>> changes = over(rows, Schedulers.parallel()).changes();
            RaceTestUtils.race(rows.hub::complete,
                    () -> changes.subscribe(change -> received.incrementAndGet(), failure -> {}, over::countDown));
            assertThat(over.await(LIMIT.toSeconds(), TimeUnit.SECONDS)).as("completes, round %s", round).isTrue();
            assertThat(received).as("all of it, round %s", round).hasValue(3);
        }
    }

    @Test
    void publishAgainstSubscribe() {
        for (int round = 0; round < ROUNDS; round++) {
            Rows rows = Rows.complete().put("a", "u", 1);
            Map<String, String> expected = new TreeMap<>(Map.of("a", "u@2", "b", "u@3"));
            var replayed = replayed(over(rows, Schedulers.parallel()).changes(), expected).cache();
            RaceTestUtils.race(() -> rows.put("a", "u", 2).put("b", "u", 3), replayed::subscribe);
            assertThat(replayed.block(LIMIT)).isEqualTo(there(rows));
        }
    }

    /** No subscriber is left that uses it, so nothing is left of what it kept. */
    @Test
    void publishAgainstTheLastCancel() {
        for (int round = 0; round < ROUNDS; round++) {
            Rows rows = Rows.complete().put("a", "u", 1);
            View<String, String> view = over(rows, Schedulers.parallel());
            var subscriber = new BaseSubscriber<Change<String, String>>() {
                @Override
                protected void hookOnSubscribe(Subscription subscription) {
                    requestUnbounded();
                }
            };
            view.changes().subscribe(subscriber);
            RaceTestUtils.race(() -> rows.put("a", "u", 2), subscriber::cancel);
            assertThat(rows.hub.followers()).isZero();
            assertThat(view.snapshot().size()).isZero();
        }
    }

    @Test
    void theLastCancelAgainstTheNextSubscribe() {
        for (int round = 0; round < ROUNDS; round++) {
            Rows rows = Rows.complete().put("a", "u", 1);
            View<String, String> view = over(rows, Schedulers.parallel());
            var first = view.changes().subscribe();
            var replayed = replayed(view.changes(), Map.of("a", "u@1")).cache();
            RaceTestUtils.race(first::dispose, replayed::subscribe);
            assertThat(replayed.block(LIMIT)).isEqualTo(there(rows));
        }
    }

    /** A join takes in both sides: neither is lost beside the other. */
    @Test
    void bothSidesOfAJoinAtOnce() {
        for (int round = 0; round < ROUNDS; round++) {
            Rows left = Rows.complete().put("a", "u", 1);
            Rows right = Rows.complete().put("x", "u", 1);
            View<String, String> joined = new DerivedView<>(
                    wake -> Derived.join(left.hub.feed(), right.hub.feed(), row -> List.of("x"), (row, others) -> row + others, wake),
                    Schedulers::parallel, Mono.empty(), delivery -> Flux.empty());
            var replayed = replayed(joined.changes(), Map.of("a", "u@2[u@3]")).cache();
            replayed.subscribe();
            RaceTestUtils.race(() -> left.put("a", "u", 2), () -> right.put("x", "u", 3));
            assertThat(replayed.block(LIMIT)).isNotNull();
        }
    }
}
