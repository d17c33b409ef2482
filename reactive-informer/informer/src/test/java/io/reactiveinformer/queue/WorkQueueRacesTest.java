package io.reactiveinformer.queue;

import io.reactiveinformer.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.test.util.RaceTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * The queue's laws on real threads: no key is worked on twice at a time, and the last addition of each is followed by a run that began
 * after it, while other threads add, take, fail and cancel. Planted, and caught: keys of a subscriber that cancels, forgotten; an end that
 * a late subscriber does not receive. What needs no race is planted in {@link WorkQueueLawsTest}.
 */
class WorkQueueRacesTest {

    private static final int KEYS = 20;

    private static final class World {

        private final WorkQueue<Integer> queue = WorkQueue.create(WorkQueueOptions.<Integer>defaults()
                .withLimiter(RateLimiter.exponential(Duration.ofNanos(1_000), Duration.ofMillis(1))));
        private final AtomicIntegerArray wanted = new AtomicIntegerArray(KEYS);
        private final AtomicIntegerArray seen = new AtomicIntegerArray(KEYS);
        private final AtomicIntegerArray running = new AtomicIntegerArray(KEYS);
        private final AtomicInteger together = new AtomicInteger();

        Disposable begin(int concurrency) {
            return queue.process(concurrency, this::work).subscribe();
        }

        private Mono<Result> work(int key) {
            return Mono.defer(() -> {
                if (running.getAndIncrement(key) != 0) {
                    together.incrementAndGet();
                }
                int state = wanted.get(key);
                var over = new AtomicBoolean();
                Runnable end = () -> {
                    if (!over.getAndSet(true)) {
                        running.decrementAndGet(key);
                    }
                };
                return Mono.delay(Duration.ofNanos(ThreadLocalRandom.current().nextInt(20_000)))
                        .then(Mono.fromSupplier(() -> {
                            if (state % 5 == 4 && ThreadLocalRandom.current().nextBoolean()) {
                                throw new IllegalStateException("on purpose");
                            }
                            seen.accumulateAndGet(key, state, Math::max); // of one that was cancelled this may come late
                            return state % 7 == 0 ? Result.again(Duration.ofNanos(10_000)) : Result.done();
                        }))
                        .doOnTerminate(end) // not doFinally: with the signal the work is over, and may begin anew on another thread
                        .doOnCancel(end);
            });
        }

        void want(int key) {
            wanted.incrementAndGet(key);
            queue.add(key);
        }

        boolean isDone() {
            for (int key = 0; key < KEYS; key++) {
                if (seen.get(key) != wanted.get(key)) {
                    return false;
                }
            }
            return true;
        }
    }

    @Test
    void nothingIsLostAndNothingRunsTwiceAtATime() throws InterruptedException {
        long seed = System.nanoTime();
        var world = new World();
        List<Disposable> processes = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            processes.add(world.begin(1 + i * 3));
        }
        List<Thread> adders = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            var random = new SplittableRandom(seed + i);
            var adder = new Thread(() -> {
                for (int n = 0; n < 5_000; n++) {
                    world.want(random.nextInt(KEYS));
                }
            });
            adder.start();
            adders.add(adder);
        }
        for (int i = 0; i < 200; i++) { // who works comes and goes
            processes.remove(0).dispose();
            processes.add(world.begin(1 + i % 9));
        }
        for (Thread adder : adders) {
            adder.join();
        }
        assertThat(awaitDone(world)).as("seed %s: wanted %s, seen %s", seed, world.wanted, world.seen).isTrue();
        assertThat(world.together).as("seed %s", seed).hasValue(0);
        processes.forEach(Disposable::dispose);
    }

    private static boolean awaitDone(World world) throws InterruptedException {
        var done = new CountDownLatch(1);
        Disposable looking = Schedulers.single().schedulePeriodically(() -> {
            if (world.isDone()) {
                done.countDown();
            }
        }, 1, 1, TimeUnit.MILLISECONDS);
        try {
            return done.await(20, TimeUnit.SECONDS);
        } finally {
            looking.dispose();
        }
    }

    @Test // 106
    void shutDownFreesEveryTaker() throws InterruptedException {
        for (int round = 0; round < Rounds.races(1_000); round++) {
            WorkQueue<Integer> queue = WorkQueue.create();
            var freed = new CountDownLatch(3);
            queue.process(2, key -> Mono.just(Result.done())).doOnComplete(freed::countDown).subscribe();
            queue.add(round);
            RaceTestUtils.race(
                    queue::shutDown,
                    () -> queue.process(1, key -> Mono.just(Result.done())).doOnComplete(freed::countDown).subscribe(),
                    () -> queue.drain().subscribe(null, null, freed::countDown));
            assertThat(freed.await(10, TimeUnit.SECONDS)).as("round %s: %s left", round, freed.getCount()).isTrue();
        }
    }

    /** A result that comes from another thread while the work is still being subscribed to counts, once. */
    @Test
    void aResultAgainstTheReturnOfItsSubscription() throws InterruptedException {
        for (int round = 0; round < Rounds.races(3_000); round++) {
            WorkQueue<Integer> queue = WorkQueue.create();
            var runs = new AtomicInteger();
            var outcomes = new CountDownLatch(1);
            Disposable working = queue.process(1, key -> Mono.<Result>create(sink -> {
                runs.incrementAndGet();
                Schedulers.boundedElastic().schedule(() -> sink.success(Result.done()));
            })).subscribe(outcome -> outcomes.countDown());
            queue.add(1);
            assertThat(outcomes.await(10, TimeUnit.SECONDS)).as("round %s", round).isTrue();
            assertThat(runs).as("round %s", round).hasValue(1);
            assertThat(queue.size() + queue.unfinished().keys()).as("round %s", round).isZero();
            working.dispose();
        }
    }

    @Test
    void cancelAgainstAdd() throws InterruptedException {
        for (int round = 0; round < Rounds.races(2_000); round++) {
            WorkQueue<Integer> queue = WorkQueue.create();
            Disposable first = queue.process(1, key -> Mono.never()).subscribe();
            RaceTestUtils.race(() -> queue.add(1), first::dispose);
            var worked = new CountDownLatch(1);
            Disposable second = queue.process(1, key -> Mono.fromRunnable(worked::countDown)).subscribe();
            assertThat(worked.await(10, TimeUnit.SECONDS)).as("round %s", round).isTrue();
            second.dispose();
        }
    }
}
