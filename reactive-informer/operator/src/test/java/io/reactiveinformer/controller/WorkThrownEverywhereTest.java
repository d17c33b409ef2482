package io.reactiveinformer.controller;

import io.reactiveinformer.errors.Bomb;
import io.reactiveinformer.errors.BombedScheduler;
import io.reactiveinformer.queue.RateLimiter;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.test.TestView;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;
import reactor.core.publisher.Mono;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 24 where work is done: whatever is thrown, wherever, each key is worked on in its last state in the end. */
class WorkThrownEverywhereTest {

    private static final List<String> PLACES = List.of(
            "route", "filter", "responsibility", "reconcile", "work.onSubscribe", "work.onNext", "work.onComplete", "visible",
            "limiter.next", "limiter.forget", "limiter.retries", "classes", "observer", "key.hashCode", "key.equals", "key.toString",
            "workers.schedule", "timer.worker", "timer.createWorker",
            "timer.schedule", "timer.now", "status", "result");

    private final VirtualTimeScheduler time = VirtualTimeScheduler.getOrSet();
    private final Bomb bomb = new Bomb();
    private final TestView<String, Integer> view = TestView.of(Map.of("a", 1, "b", 1));
    private final Map<String, Integer> done = new TreeMap<>();
    private final Controller<Key> controller = Controller.named("bombed", Key.class)
            .watches(view, (name, value) -> {
                bomb.at("route");
                return List.of(new Key(name, bomb));
            }, (before, after) -> {
                bomb.at("filter");
                return true;
            })
            .keys(key -> {
                bomb.at("responsibility");
                return true;
            })
            .timeout(Duration.ofSeconds(30))
            .holdLimit(Duration.ofSeconds(10))
            .queue(options -> options
                    .withTimer(BombedScheduler.losing(time, bomb, "timer"))
                    .withWorkers(BombedScheduler.losing(time, bomb, "workers"))
                    .withLimiter(new BombedLimiter(RateLimiter.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)), bomb))
                    .withClasses(key -> {
                        bomb.at("classes");
                        return "all";
                    })
                    .withObserver(new BombedObserver(bomb)))
            .reconcile(this::reconcile);

    @AfterEach
    void end() {
        bomb.lay("", Bomb.Kind.CHECKED, 0);
        controller.close();
        VirtualTimeScheduler.reset();
    }

    static Stream<Arguments> bombs() {
        return PLACES.stream().flatMap(place -> Stream.of(Bomb.Kind.values())
                .filter(kind -> kind != Bomb.Kind.UNCHECKED || !place.startsWith("limiter.")) // which ends who works, and says so
                .flatMap(kind -> Stream.of(0, 2, 5).map(after -> Arguments.of(place, kind, after))));
    }

    @ParameterizedTest
    @MethodSource("bombs")
    void goesOn(String place, Bomb.Kind kind, int after) {
        Bomb.survive(() -> explode(place, kind, after));
    }

    private void explode(String place, Bomb.Kind kind, int after) {
        var elsewhere = BombedScheduler.losing(time); // or the clock would be hit that all run by
        controller.status().publishOn(elsewhere).subscribe(status -> bomb.at("status"), failure -> {});
        controller.results().publishOn(elsewhere).subscribe(result -> bomb.at("result"), failure -> {});
        controller.start();
        settle();
        bomb.lay(place, kind, after);
        for (int round = 2; round < 6; round++) {
            view.put("a", round);
            settle();
            view.put("b", round);
            view.put("a", round * 10);
            settle();
        }
        view.put("c", 100);
        settle();
        time.advanceTimeBy(Duration.ofMinutes(10));

        Map<String, Integer> rows = new TreeMap<>();
        view.snapshot().forEach((name, row) -> rows.put(name, row.object()));
        assertThat(done).as("worked on, after %s at %s", kind, place).isEqualTo(rows);
        assertThat(controller.held()).isEmpty();
        assertThat(controller.status().blockFirst(Duration.ofSeconds(5)))
                .extracting(ControllerStatus::state).isEqualTo(ControllerStatus.State.WORKING);
    }

    private void settle() {
        time.advanceTimeBy(Duration.ofSeconds(20));
    }

    /** Each key fails the first time, and again in every third state. */
    private Mono<Result> reconcile(ReconcileRequest<Key> request) {
        bomb.at("reconcile");
        String name = request.key().name;
        Integer value = view.snapshot().get(name).orElseThrow();
        request.holdUntil("what it wrote", Mono.fromRunnable(() -> bomb.at("visible")));
        return Mono.fromSupplier(() -> {
                    if (request.retries() == 0 && value % 3 == 0) {
                        return Result.failed(new IllegalStateException("not yet"));
                    }
                    done.put(name, value);
                    return Result.done();
                })
                .doOnSubscribe(subscription -> bomb.at("work.onSubscribe"))
                .doOnNext(result -> bomb.at("work.onNext"))
                .doOnTerminate(() -> bomb.at("work.onComplete"));
    }

    private static final class Key {

        private final String name;
        private final Bomb bomb;

        Key(String name, Bomb bomb) {
            this.name = name;
            this.bomb = bomb;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            bomb.at("key.equals");
            return other instanceof Key key && key.name.equals(name);
        }

        @Override
        public int hashCode() {
            bomb.at("key.hashCode");
            return name.hashCode();
        }

        @Override
        public String toString() {
            bomb.at("key.toString");
            return name;
        }
    }

    private record BombedLimiter(RateLimiter<Key> limiter, Bomb bomb) implements RateLimiter<Key> {
        @Override
        public Duration next(Key key) {
            bomb.at("limiter.next");
            return limiter.next(key);
        }

        @Override
        public int retries(Key key) {
            bomb.at("limiter.retries");
            return limiter.retries(key);
        }

        @Override
        public void forget(Key key) {
            bomb.at("limiter.forget");
            limiter.forget(key);
        }
    }

    private record BombedObserver(Bomb bomb) implements WorkQueue.Observer {
        @Override
        public void added() {
            bomb.at("observer");
        }

        @Override
        public void taken(Duration waited) {
            bomb.at("observer");
        }

        @Override
        public void finished(Duration took) {
            bomb.at("observer");
        }
    }
}
