package io.reactiveinformer.internal;

import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

/**
 * A timer that is replaced by another one after each shortage of memory. Up to Java 20, an OutOfMemoryError at the wrong moment leaves a
 * {@link java.util.concurrent.ScheduledThreadPoolExecutor} that accepts tasks and never runs them, or that blocks the thread that submits
 * one.
 */
public final class SparedTimer implements Scheduler {

    /** Replaces all timers that were passed to {@link #of}. */
    private static final Scheduler SPARE = TimerThread.scheduler("reactive-informer-spare-timer");

    private final Supplier<Scheduler> another;
    private volatile Scheduler current; // written under this
    private volatile int shortages = MemoryShortages.ended(); // when the current one was taken; written under this

    /** @param another supplies the next timer after each shortage */
    SparedTimer(Scheduler first, Supplier<Scheduler> another) {
        this.current = first;
        this.another = another;
    }

    /** {@code timer} until the first shortage of memory ends; afterwards one that is shared by the whole process. */
    public static Scheduler of(Scheduler timer) {
        return timer instanceof SparedTimer ? timer : new SparedTimer(timer, () -> SPARE);
    }

    private Scheduler current() {
        if (shortages != MemoryShortages.ended()) {
            replace();
        }
        return current;
    }

    private synchronized void replace() {
        int ended = MemoryShortages.ended();
        if (shortages != ended) {
            current = another.get();
            shortages = ended;
        }
    }

    @Override
    public Disposable schedule(Runnable task) {
        return current().schedule(task);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        return current().schedule(task, delay, unit);
    }

    @Override
    public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
        return current().schedulePeriodically(task, initialDelay, period, unit);
    }

    @Override
    public long now(TimeUnit unit) {
        return current().now(unit);
    }

    @Override
    public Worker createWorker() {
        return current().createWorker();
    }

    /** Has no effect, since the timer may be shared by the whole process. */
    @Override
    public void dispose() {}
}
