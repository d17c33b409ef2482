package io.reactiveinformer.internal;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SparedTimerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static Thread thread(Scheduler timer) {
        return Mono.delay(Duration.ofMillis(1), timer).map(tick -> Thread.currentThread()).block(PATIENCE);
    }

    @Test
    void isTheGivenTimerWhileMemoryWasNeverShort() {
        var time = VirtualTimeScheduler.create();
        Scheduler timer = SparedTimer.of(time);
        var ticked = Mono.delay(Duration.ofHours(1), timer).toFuture();
        assertThat(ticked).isNotDone();
        time.advanceTimeBy(Duration.ofHours(1));
        assertThat(ticked).isDone();
        assertThat(SparedTimer.of(timer)).isSameAs(timer);
    }

    /** A thread for each informer of a process would be another shortage. */
    @Test
    void afterAShortageAllShareOneOtherThread() {
        Scheduler one = SparedTimer.of(VirtualTimeScheduler.create());
        Scheduler other = SparedTimer.of(VirtualTimeScheduler.create());
        MemoryShortages.end();
        assertThat(thread(one)).isInstanceOf(SparedTimer.TimerThread.class).isSameAs(thread(other));
    }

    @Test
    void aTimerOfOursHasAnotherThreadAfterEachShortage() {
        Scheduler timer = SparedTimer.named("a-timer");
        Thread before = thread(timer);
        assertThat(thread(timer)).isSameAs(before);
        MemoryShortages.end();
        Thread after = thread(timer);
        assertThat(after).isNotSameAs(before);
        MemoryShortages.end();
        assertThat(thread(timer)).isNotSameAs(after).isNotSameAs(before);
    }

    /** The given timer never runs a task, as if its thread had died. */
    @Test
    void afterAShortageTasksRunThatTheGivenTimerHasLost() {
        Scheduler timer = SparedTimer.of(VirtualTimeScheduler.create());
        var delayed = Mono.delay(Duration.ofMillis(1), timer).map(tick -> Thread.currentThread()).toFuture();
        Shortage.ends();
        assertThat(delayed).succeedsWithin(PATIENCE).isInstanceOf(SparedTimer.TimerThread.class);
    }

    /** So do delayed tasks of subscriptions. */
    @Test
    void afterAShortageTasksOfWorkersRunThatTheGivenTimerHasLost() {
        Scheduler.Worker worker = SparedTimer.of(VirtualTimeScheduler.create()).createWorker();
        var threads = new LinkedTransferQueue<Thread>();
        worker.schedule(() -> threads.add(Thread.currentThread()), 1, TimeUnit.MILLISECONDS);
        Disposable cancelled = worker.schedule(() -> threads.add(Thread.currentThread()), 1, TimeUnit.MILLISECONDS);
        cancelled.dispose();
        Shortage.ends();
        assertThat(Mono.fromCallable(() -> threads.poll(30, TimeUnit.SECONDS)).block()).isInstanceOf(SparedTimer.TimerThread.class);
        worker.schedule(() -> threads.add(Thread.currentThread()), 1, TimeUnit.MILLISECONDS);
        assertThat(Mono.fromCallable(() -> threads.poll(30, TimeUnit.SECONDS)).block()).isInstanceOf(SparedTimer.TimerThread.class);
        worker.dispose();
        assertThat(threads).isEmpty();
    }

    @Test
    void aWorkerThatIsDisposedOfRunsNothingMore() {
        var time = VirtualTimeScheduler.create();
        Scheduler.Worker worker = SparedTimer.of(time).createWorker();
        var runs = new AtomicInteger();
        Disposable waiting = worker.schedule(runs::incrementAndGet, 1, TimeUnit.HOURS);
        worker.dispose();
        SparedTimer.resumeAll();
        time.advanceTimeBy(Duration.ofHours(2));
        assertThat(runs).hasValue(0);
        assertThat(waiting.isDisposed()).isTrue();
        assertThat(worker.isDisposed()).isTrue();
        assertThatThrownBy(() -> worker.schedule(runs::incrementAndGet)).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void aTaskRunsOnceOnWhicheverTimerReachesItFirst() {
        var time = VirtualTimeScheduler.create();
        var runs = new AtomicInteger();
        Scheduler timer = SparedTimer.of(time);
        Disposable ran = timer.schedule(runs::incrementAndGet, 1, TimeUnit.HOURS);
        Disposable cancelled = timer.schedule(runs::incrementAndGet, 1, TimeUnit.HOURS);
        SparedTimer.resumeAll();
        cancelled.dispose();
        assertThat(ran.isDisposed()).isFalse();
        time.advanceTimeBy(Duration.ofHours(1));
        assertThat(runs).hasValue(1);
        assertThat(ran.isDisposed()).isTrue();
        SparedTimer.resumeAll();
        time.advanceTimeBy(Duration.ofHours(1));
        assertThat(runs).hasValue(1);
    }

    @Test
    void aTimerThatWasDisposedOfHoldsUpNoOther() {
        Scheduler disposed = Schedulers.newSingle("disposed");
        Scheduler timer = SparedTimer.of(disposed);
        Disposable task = timer.schedule(() -> {}, 1, TimeUnit.HOURS);
        disposed.dispose();
        assertThatCode(SparedTimer::resumeAll).doesNotThrowAnyException();
        assertThat(task.isDisposed()).isTrue();
    }

    /** An executor that cannot start a thread throws, and runs the task nevertheless once it has one. */
    @Test
    void aRefusedTaskNeverRuns() {
        var tasks = new ArrayList<Runnable>();
        var runs = new AtomicInteger();
        Scheduler timer = SparedTimer.of(Schedulers.fromExecutor(task -> {
            tasks.add(task);
            throw new OutOfMemoryError("unable to create native thread");
        }));
        assertThatThrownBy(() -> timer.schedule(runs::incrementAndGet)).hasRootCauseInstanceOf(OutOfMemoryError.class);
        assertThatCode(SparedTimer::resumeAll).doesNotThrowAnyException();
        tasks.forEach(Runnable::run);
        assertThat(tasks).hasSize(1);
        assertThat(runs).hasValue(0);
    }

    /** The given timer still has its part, as nothing is cancelled in a timer that may be broken. */
    @Test
    void aTaskThatWasScheduledAgainIsNotKeptWhenItIsDisposedOf() {
        VirtualTimeScheduler given = VirtualTimeScheduler.create();
        Scheduler timer = SparedTimer.of(given);
        var tasks = new ReferenceQueue<Object>();
        var disposables = new ArrayList<Disposable>();
        PhantomReference<Object> task = scheduleOne(timer, tasks, disposables);
        Shortage.ends();
        disposables.get(0).dispose();
        for (int i = 0; i < 100 && tasks.poll() != task; i++) {
            System.gc();
            assertThat(i).as("collections").isLessThan(99);
        }
        given.advanceTimeBy(Duration.ofHours(2)); // it was alive until here
    }

    private static PhantomReference<Object> scheduleOne(Scheduler timer, ReferenceQueue<Object> tasks, List<Disposable> disposables) {
        var list = new byte[1024];
        disposables.add(timer.schedule(() -> list[0]++, 1, TimeUnit.HOURS));
        return new PhantomReference<>(list, tasks);
    }

    /** Made under virtual time, as where the first test of a process is one: Reactor's shared timer would be shut down with it. */
    @Test
    void outlastsVirtualTime() {
        VirtualTimeScheduler.getOrSet();
        Scheduler timer = SparedTimer.named("a-timer");
        VirtualTimeScheduler.reset();
        Thread ticked = Mono.delay(Duration.ofMillis(1), timer).map(tick -> Thread.currentThread()).block(PATIENCE);
        assertThat(ticked).isInstanceOf(NonBlocking.class).hasFieldOrPropertyWithValue("name", "a-timer");
        assertThat(ticked.isDaemon()).isTrue();
        timer.dispose();
    }

    @Test
    void forgetsWhatIsCancelled() {
        ScheduledThreadPoolExecutor executor = SparedTimer.executor("a-timer");
        Scheduler timer = Schedulers.fromExecutorService(executor);
        for (int i = 0; i < 1_000; i++) {
            timer.schedule(() -> {}, 1, TimeUnit.HOURS).dispose();
        }
        assertThat(executor.getQueue()).isEmpty();
        timer.dispose();
    }
}
