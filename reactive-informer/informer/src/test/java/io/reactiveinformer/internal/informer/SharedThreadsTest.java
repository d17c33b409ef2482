package io.reactiveinformer.internal.informer;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import reactor.core.Disposable;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SharedThreadsTest {

    private final Sinks.Empty<Void> released = Sinks.empty();
    private final AtomicInteger passed = new AtomicInteger();
    private final List<String> ran = new CopyOnWriteArrayList<>();

    @AfterEach
    void release() {
        released.tryEmitEmpty();
        VirtualTimeScheduler.reset();
    }

    @Test
    void runsTasksInOrderOnOneThreadOfTheParallelOnes() throws InterruptedException {
        var awake = new CountDownLatch(Schedulers.DEFAULT_POOL_SIZE);
        for (int i = 0; i < Schedulers.DEFAULT_POOL_SIZE; i++) {
            Schedulers.parallel().schedule(awake::countDown);
        }
        awake.await(); // else one that is slow to start is taken for a blocked one
        Scheduler.Worker worker = SharedThreads.ofChanges().createWorker();
        var last = new CountDownLatch(100);
        for (int i = 0; i < 100; i++) {
            String name = String.valueOf(i);
            worker.schedule(() -> {
                ran.add(name + " " + Thread.currentThread().getName());
                last.countDown();
            });
        }
        assertThat(last.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).first().asString().startsWith("0 parallel-");
        assertThat(ran).extracting(line -> line.replaceFirst("\\d+ ", "")).containsOnly(ran.get(0).replaceFirst("\\d+ ", ""));
        assertThat(ran).extracting(line -> Integer.parseInt(line.replaceFirst(" .*", ""))).isSorted();
        worker.dispose();
    }

    @Test
    void whoWaitsBehindOneThatBlocksGoesOnElsewhere() throws InterruptedException {
        holdUpEveryThread();
        Scheduler.Worker worker = SharedThreads.ofChanges().createWorker();
        var done = new CountDownLatch(3);
        for (int i = 0; i < 3; i++) {
            String name = String.valueOf(i);
            worker.schedule(() -> {
                ran.add(name);
                done.countDown();
            });
        }
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        var later = new CountDownLatch(1);
        worker.schedule(later::countDown);
        assertThat(later.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).containsExactly("0", "1", "2");
        released.tryEmitEmpty();
        worker.dispose();
        assertThat(worker.isDisposed()).isTrue();
        assertThatThrownBy(() -> worker.schedule(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void whatIsDisposedOfBeforeItsTurnDoesNotRun() throws InterruptedException {
        holdUpEveryThread();
        Scheduler.Worker worker = SharedThreads.ofChanges().createWorker();
        worker.schedule(() -> ran.add("disposed of")).dispose();
        var after = new CountDownLatch(1);
        worker.schedule(after::countDown);
        assertThat(after.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).isEmpty();
        worker.dispose();
    }

    @Test
    void aSingleTaskDoesNotWaitBehindOneThatBlocksEither() throws InterruptedException {
        holdUpEveryThread();
        var done = new CountDownLatch(1);
        SharedThreads.ofChanges().schedule(done::countDown);
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aTaskForWhichNoThreadCouldBeStartedRunsAllTheSame() throws InterruptedException {
        holdUpEveryThread();
        var tries = new AtomicInteger();
        Scheduler.Worker worker = new SharedThreads(() -> threadsThatFail(tries, 0)).createWorker();
        var done = new CountDownLatch(1);
        worker.schedule(done::countDown);
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(tries).hasValueGreaterThan(1);
        worker.dispose();
    }

    @Test
    void aRefugeThatCannotStartAThreadIsDisposedOf() throws InterruptedException {
        holdUpEveryThread();
        var tries = new AtomicInteger();
        List<Scheduler.Worker> refuges = new CopyOnWriteArrayList<>();
        Scheduler.Worker worker = new SharedThreads(() -> recording(threadsThatFail(tries, 0), refuges)).createWorker();
        var done = new CountDownLatch(1);
        worker.schedule(done::countDown);
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(refuges).hasSize(2).extracting(Scheduler.Worker::isDisposed).containsExactly(true, false);
        worker.dispose();
        assertThat(refuges).allMatch(Scheduler.Worker::isDisposed);
    }

    private static Scheduler recording(Scheduler scheduler, List<Scheduler.Worker> workers) {
        return new Scheduler() {
            @Override
            public Disposable schedule(Runnable task) {
                return scheduler.schedule(task);
            }

            @Override
            public Worker createWorker() {
                Worker created = scheduler.createWorker();
                workers.add(created);
                return created;
            }
        };
    }

    @Test
    void whatComesAfterOneForWhichNoThreadCouldBeStartedRuns() throws InterruptedException {
        holdUpEveryThread();
        var tries = new AtomicInteger();
        Scheduler.Worker worker = new SharedThreads(() -> threadsThatFail(tries, 1)).createWorker();
        var first = new CountDownLatch(1);
        worker.schedule(first::countDown);
        assertThat(first.await(10, TimeUnit.SECONDS)).isTrue();
        for (int i = 0; i < 3; i++) {
            var next = new CountDownLatch(1);
            while (tries.get() == 1) { // until the first thread has ended, one more is not needed
                worker.schedule(() -> {});
            }
            worker.schedule(next::countDown);
            assertThat(next.await(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThat(tries).hasValueGreaterThan(2);
        worker.dispose();
    }

    /** Which cannot start the thread of number {@code failing}, counted over all of them. */
    private static Scheduler threadsThatFail(AtomicInteger tries, int failing) {
        return Schedulers.fromExecutor(work -> {
            if (tries.getAndIncrement() == failing) {
                throw new OutOfMemoryError("unable to create native thread");
            }
            new Thread(work, "refuge").start();
        }, true);
    }

    @Test
    void isGovernedByVirtualTime() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.getOrSet();
        Scheduler.Worker worker = SharedThreads.ofChanges().createWorker();
        worker.schedule(() -> ran.add("now"));
        worker.schedulePeriodically(() -> ran.add("tick"), 1, 1, TimeUnit.HOURS);
        assertThat(ran).containsExactly("now");
        clock.advanceTimeBy(Duration.ofHours(2));
        assertThat(ran).containsExactly("now", "tick", "tick");
        worker.dispose();
        clock.advanceTimeBy(Duration.ofHours(2));
        assertThat(ran).hasSize(3);
    }

    @Test
    void delaysTasksThatHaveNoWorkerOfTheirOwn() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.getOrSet();
        Scheduler threads = SharedThreads.ofChanges();
        threads.schedule(() -> ran.add("once"), 1, TimeUnit.HOURS);
        threads.schedule(() -> ran.add("never"), 1, TimeUnit.HOURS).dispose();
        Disposable each = threads.schedulePeriodically(() -> ran.add("tick"), 2, 1, TimeUnit.HOURS);
        clock.advanceTimeBy(Duration.ofMinutes(59));
        assertThat(ran).isEmpty();
        clock.advanceTimeBy(Duration.ofMinutes(181));
        assertThat(ran).containsExactly("once", "tick", "tick", "tick");
        each.dispose();
        clock.advanceTimeBy(Duration.ofHours(2));
        assertThat(ran).hasSize(4);
    }

    @Test
    void aDelayedTaskThatIsDisposedOfWhenItIsDueDoesNotRun() throws InterruptedException {
        holdUpEveryThread();
        Disposable due = SharedThreads.ofChanges().schedule(() -> ran.add("disposed of"), 1, TimeUnit.MILLISECONDS);
        var after = new CountDownLatch(1);
        Schedulers.single().schedule(() -> { // it waits for a thread by now
            due.dispose();
            after.countDown();
        }, 20, TimeUnit.MILLISECONDS);
        assertThat(after.await(10, TimeUnit.SECONDS)).isTrue();
        released.tryEmitEmpty();
        var done = new CountDownLatch(1);
        SharedThreads.ofChanges().schedule(done::countDown, 1, TimeUnit.MILLISECONDS);
        assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
        assertThat(ran).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aDelayedTaskForWhichNoThreadIsLeftWhenItIsDueRunsAllTheSame(boolean periodic) throws InterruptedException {
        ExecutorService threads = Executors.newSingleThreadExecutor();
        Schedulers.setFactory(new Schedulers.Factory() {
            @Override
            public Scheduler newParallel(int parallelism, ThreadFactory factory) {
                return Schedulers.fromExecutorService(threads);
            }
        });
        try {
            Scheduler.Worker worker = SharedThreads.ofChanges().createWorker();
            threads.shutdown();
            var done = new CountDownLatch(1);
            if (periodic) {
                worker.schedulePeriodically(done::countDown, 10, 10, TimeUnit.MILLISECONDS);
            } else {
                worker.schedule(done::countDown, 10, TimeUnit.MILLISECONDS);
            }
            assertThat(done.await(5, TimeUnit.SECONDS)).isTrue();
            worker.dispose();
        } finally {
            Schedulers.resetFactory();
        }
    }

    /** By a monitor: BlockHound lets a thread wait for it, and who waits takes no time from the others. */
    private void holdUpEveryThread() throws InterruptedException {
        var gate = new Object();
        var shut = new CountDownLatch(1);
        new Thread(() -> {
            synchronized (gate) {
                shut.countDown();
                released.asMono().block();
            }
        }, "keeper of the gate").start();
        shut.await();
        var blocked = new CountDownLatch(Schedulers.DEFAULT_POOL_SIZE);
        for (int i = 0; i < Schedulers.DEFAULT_POOL_SIZE; i++) {
            Schedulers.parallel().schedule(() -> {
                blocked.countDown();
                synchronized (gate) {
                    passed.incrementAndGet();
                }
            });
        }
        assertThat(blocked.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
