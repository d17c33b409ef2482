package io.reactiveinformer.test.contract;

import io.reactiveinformer.queue.RateLimiter;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.queue.WorkQueueOptions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

/**
 * The behaviour of a {@link WorkQueue} that a controller relies on: no addition is lost, and no key is processed twice at the same time.
 * The test of an implementation extends this.
 */
public abstract class WorkQueueContract {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final List<String> begun = new ArrayList<>();
    private WorkQueue<String> queue; // a new one before each test

    /** A new empty queue with these options. */
    protected abstract WorkQueue<String> create(WorkQueueOptions<String> options);

    @BeforeEach
    final void begin() {
        queue = create(WorkQueueOptions.<String>defaults()
                .withLimiter(RateLimiter.exponential(Duration.ofSeconds(1), Duration.ofMinutes(1)))
                .withWorkers(clock)
                .withTimer(clock));
    }

    /** Runs everything that is due by now. */
    private void settle() {
        clock.advanceTime();
    }

    private Disposable work(int atOnce, Function<String, Mono<Result>> work) {
        return queue.process(atOnce, key -> {
            begun.add(key);
            return work.apply(key);
        }).subscribe();
    }

    private Disposable work(Mono<Result> result) {
        return work(1, key -> result);
    }

    private Disposable work() {
        return work(Mono.just(Result.done()));
    }

    @Test
    void servesKeysInTheOrderInWhichTheyCame() {
        List.of("c", "a", "b").forEach(queue::add);
        work();
        settle();
        assertEquals(List.of("c", "a", "b"), begun);
    }

    @Test
    void hasAKeyInLineOnce() {
        List.of("a", "b", "a", "a").forEach(queue::add);
        assertEquals(2, queue.size());
        work();
        settle();
        assertEquals(List.of("a", "b"), begun);
        assertEquals(0, queue.size());
    }

    @Test
    void worksOnceMoreOnWhatWasAddedMeanwhileButNotAtTheSameTime() {
        Sinks.One<Result> first = Sinks.one();
        work(4, key -> begun.size() == 1 ? first.asMono() : Mono.just(Result.done()));
        queue.add("a");
        settle();
        queue.add("a");
        queue.add("a");
        settle();
        assertEquals(List.of("a"), begun, "while it is worked on");
        first.tryEmitValue(Result.done()).orThrow();
        settle();
        assertEquals(List.of("a", "a"), begun, "after that");
    }

    @Test
    void sharesKeysAmongSubscriptionsWithoutGivingOneToTwo() {
        Sinks.One<Result> end = Sinks.one();
        work(end.asMono());
        work(end.asMono());
        queue.add("a");
        settle();
        queue.add("a");
        queue.add("b");
        settle();
        assertEquals(List.of("a", "b"), begun);
    }

    @Test
    void worksOnNoMoreKeysAtATimeThanItIsTold() {
        List.of("a", "b", "c").forEach(queue::add);
        Sinks.One<Result> end = Sinks.one();
        work(2, key -> end.asMono());
        settle();
        assertEquals(List.of("a", "b"), begun);
        end.tryEmitValue(Result.done()).orThrow();
        settle();
        assertEquals(List.of("a", "b", "c"), begun);
    }

    @Test
    void servesADelayedKeyWhenItsTimeHasCome() {
        work();
        queue.addAfter("a", Duration.ofSeconds(10));
        queue.addAfter("b", Duration.ofSeconds(20));
        assertEquals(2, queue.delayed());
        clock.advanceTimeBy(Duration.ofMillis(9_999));
        assertEquals(List.of(), begun);
        clock.advanceTimeBy(Duration.ofMillis(1));
        assertEquals(List.of("a"), begun);
        clock.advanceTimeBy(Duration.ofSeconds(10));
        assertEquals(List.of("a", "b"), begun);
        assertEquals(0, queue.delayed());
    }

    @Test
    void remembersADelayThatBeganWhileTheKeyWasWorkedOn() {
        Sinks.One<Result> first = Sinks.one();
        work(first.asMono());
        queue.add("a");
        settle();
        queue.addAfter("a", Duration.ofSeconds(10));
        first.tryEmitValue(Result.done()).orThrow();
        settle();
        assertEquals(List.of("a"), begun);
        clock.advanceTimeBy(Duration.ofSeconds(10));
        assertEquals(List.of("a", "a"), begun);
    }

    @Test
    void takesTheDelayOfAKeyThatIsOverFirst() {
        work();
        queue.addAfter("a", Duration.ofSeconds(20));
        queue.addAfter("a", Duration.ofSeconds(10));
        queue.addAfter("a", Duration.ofSeconds(30));
        clock.advanceTimeBy(Duration.ofSeconds(10));
        assertEquals(List.of("a"), begun);
        clock.advanceTimeBy(Duration.ofMinutes(1));
        assertEquals(List.of("a"), begun, "once is enough");
    }

    @Test
    void dropsADelayForAnAdditionAndWhenItIsCancelled() {
        work();
        queue.addAfter("a", Duration.ofSeconds(10));
        queue.add("a");
        settle();
        queue.addAfter("b", Duration.ofSeconds(10));
        assertTrue(queue.cancelDelay("b"));
        assertFalse(queue.cancelDelay("b"));
        clock.advanceTimeBy(Duration.ofMinutes(1));
        assertEquals(List.of("a"), begun);
    }

    @Test
    void triesAgainWhatFailedLaterAndLaterUntilItIsForgotten() {
        Disposable failing = work(Mono.error(new IllegalStateException("on purpose")));
        queue.add("a");
        settle();
        assertEquals(1, queue.retries("a"));
        clock.advanceTimeBy(Duration.ofSeconds(1));
        clock.advanceTimeBy(Duration.ofMillis(1_999));
        assertEquals(2, begun.size());
        clock.advanceTimeBy(Duration.ofMillis(1));
        assertEquals(3, begun.size());
        assertEquals(3, queue.retries("a"));
        failing.dispose();
        work();
        clock.advanceTimeBy(Duration.ofSeconds(4));
        assertEquals(4, begun.size());
        assertEquals(0, queue.retries("a"), "it worked");
    }

    @Test
    void looksAgainAtWhatAsksForItAndNotAtWhatIsGivenUp() {
        work(1, key -> Mono.just(key.equals("again") ? Result.again(Duration.ofMinutes(1))
                : Result.givenUp(new IllegalStateException("on purpose"))));
        queue.add("again");
        queue.add("given up");
        settle();
        clock.advanceTimeBy(Duration.ofSeconds(90));
        assertEquals(List.of("again", "given up", "again"), begun);
    }

    @Test
    void keepsWhatIsAddedForAHeldKeyUntilItIsReleased() {
        work(2, key -> {
            queue.hold(key);
            return Mono.just(Result.done());
        });
        queue.add("a");
        settle();
        queue.add("a");
        settle();
        assertEquals(List.of("a"), begun);
        queue.release("a");
        settle();
        assertEquals(List.of("a", "a"), begun);
    }

    @Test
    void takesBackAKeyWhoseWorkIsCancelled() {
        Disposable first = work(Mono.never());
        queue.add("a");
        settle();
        first.dispose();
        work();
        settle();
        assertEquals(List.of("a", "a"), begun);
    }

    @Test
    void servesWhatIsInLineAfterItIsShutDownAndThenCompletes() {
        List<String> ends = new ArrayList<>();
        List.of("a", "b").forEach(queue::add);
        queue.addAfter("delayed", Duration.ofSeconds(1));
        queue.shutDown();
        queue.add("late");
        queue.process(1, key -> Mono.just(Result.done())).map(WorkQueue.Outcome::key)
                .subscribe(begun::add, failure -> ends.add("failed"), () -> ends.add("completed"));
        queue.drain().subscribe(nothing -> {}, failure -> ends.add("failed"), () -> ends.add("drained"));
        clock.advanceTimeBy(Duration.ofMinutes(1));
        assertEquals(List.of("a", "b"), begun);
        assertEquals(List.of("completed", "drained"), ends.stream().sorted().toList());
    }

    /** Each addition announces a new state; the last processing of the key must have seen it. */
    @Test
    @Timeout(60)
    void losesNoAdditionAndKeepsWorkOnAKeyApartWhateverThreadsDo() throws InterruptedException {
        long seed = new Random().nextLong();
        queue = create(WorkQueueOptions.<String>defaults().withWorkers(Schedulers.boundedElastic()));
        Map<String, Integer> truth = new ConcurrentHashMap<>();
        Map<String, Integer> seen = new ConcurrentHashMap<>();
        Map<String, String> running = new ConcurrentHashMap<>();
        List<String> twice = new ArrayList<>();
        var done = new CountDownLatch(1);
        queue.process(4, key -> Mono.fromSupplier(() -> {
            if (running.put(key, key) != null) {
                synchronized (twice) {
                    twice.add(key);
                }
            }
            seen.put(key, truth.getOrDefault(key, 0));
            running.remove(key);
            return Result.done();
        })).subscribe(outcome -> {}, failure -> {}, done::countDown);
        List<Thread> writers = new ArrayList<>();
        for (int writer = 0; writer < 4; writer++) {
            var random = new Random(seed + writer);
            writers.add(new Thread(() -> {
                for (int i = 0; i < 2_000; i++) {
                    String key = "k" + random.nextInt(8);
                    truth.merge(key, 1, Integer::sum);
                    queue.add(key);
                }
            }));
        }
        writers.forEach(Thread::start);
        for (Thread writer : writers) {
            writer.join();
        }
        queue.shutDown();
        assertTrue(done.await(PATIENCE.toSeconds(), TimeUnit.SECONDS), () -> "not done, seed " + seed);
        synchronized (twice) {
            assertEquals(List.of(), twice, () -> "worked on twice at a time, seed " + seed);
        }
        assertEquals(truth, seen, () -> "what was seen last, seed " + seed);
    }
}
