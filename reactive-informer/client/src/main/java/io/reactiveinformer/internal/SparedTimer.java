package io.reactiveinformer.internal;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.scheduler.Scheduler;

/**
 * A timer that is replaced by another one after each shortage of memory. Up to Java 20, an OutOfMemoryError at the wrong moment leaves a
 * {@link java.util.concurrent.ScheduledThreadPoolExecutor} that accepts tasks and never runs them, or that blocks the thread that submits
 * one. One-time tasks that have not run by then, pending or lost, are passed on to the other timer: the {@link Watchdog} calls
 * {@link #resumeAll}. Periodic tasks are not.
 */
public final class SparedTimer implements Scheduler {

    /** All timers in use. Weak: a timer of a test may never run its tasks. */
    private static final Set<SparedTimer> ALL = Collections.newSetFromMap(new WeakHashMap<>()); // guarded by itself; SPARE is in it

    /** Replaces all timers that were passed to {@link #of}. */
    private static final Scheduler SPARE = TimerThread.scheduler("reactive-informer-spare-timer");

    private final Set<Task> pending = ConcurrentHashMap.newKeySet();
    private final Supplier<Scheduler> another;
    private volatile Scheduler current; // written under this
    private volatile int shortages = MemoryShortages.ended(); // when the current one was taken; written under this

    /** @param another supplies the next timer after each shortage */
    SparedTimer(Scheduler first, Supplier<Scheduler> another) {
        this.current = first;
        this.another = another;
        synchronized (ALL) {
            ALL.add(this);
        }
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

    /** Schedules all pending tasks again, on the other timer. Called after a shortage; if it throws, it must be called again. */
    static void resumeAll() {
        List<SparedTimer> all;
        synchronized (ALL) {
            all = List.copyOf(ALL);
        }
        all.forEach(timer -> timer.pending.forEach(Task::resume));
    }

    @Override
    public Disposable schedule(Runnable task) {
        return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        long nanos = unit.toNanos(delay);
        return begin(new Task(task, nanos), nanos);
    }

    private Task begin(Task once, long nanos) {
        pending.add(once);
        try {
            once.schedule(nanos);
        } catch (Throwable refused) {
            once.forget();
            throw refused;
        }
        if (once.scheduled.isDisposed()) { // disposed of with its worker, before it was pending
            once.forget();
        }
        return once;
    }

    /**
     * A task that runs once, on the timer that reaches it first. What another timer still has of it when it has run or was disposed of is
     * empty: a lost time limit otherwise keeps a whole list in memory until its time is over.
     */
    private class Task implements Runnable, Disposable {

        private @Nullable Runnable task; // read and cleared by the caller of forget that got true
        private final long due; // by the clock of the machine, as the other timer may have another one
        private final Disposable.Swap scheduled = Disposables.swap();

        Task(Runnable task, long nanos) {
            this.task = task;
            this.due = System.nanoTime() + nanos;
        }

        private void schedule(long nanos) {
            scheduled.replace(pass(nanos));
        }

        Disposable pass(long nanos) {
            return nanos <= 0 ? current().schedule(this) : current().schedule(this, nanos, TimeUnit.NANOSECONDS);
        }

        /** Returns whether it has neither run nor been disposed of before. */
        boolean forget() {
            return pending.remove(this);
        }

        /** Does not cancel what was scheduled before, which may be running. */
        void resume() {
            try {
                schedule(due - System.nanoTime());
            } catch (RejectedExecutionException disposed) { // the timer was disposed of, with all its tasks
                dispose();
            }
        }

        @Override
        public void run() {
            if (forget()) {
                Runnable once = Objects.requireNonNull(task);
                task = null;
                once.run();
            }
        }

        @Override
        public void dispose() {
            if (forget()) {
                task = null;
            }
            scheduled.dispose();
        }

        @Override
        public boolean isDisposed() {
            return !pending.contains(this);
        }
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
        return new SparedWorker();
    }

    /** A worker of the first timer, and after a shortage one of the other. */
    private final class SparedWorker implements Worker {

        private final Disposable.Composite tasks = Disposables.composite();
        private final Disposable.Composite workers = Disposables.composite();
        private Scheduler timer = current(); // guarded by this
        private Worker worker = timer.createWorker(); // guarded by this

        SparedWorker() {
            workers.add(worker);
        }

        private synchronized Worker worker() {
            Scheduler now = current();
            if (timer != now) {
                worker = now.createWorker();
                workers.add(worker);
                timer = now;
            }
            return worker;
        }

        @Override
        public Disposable schedule(Runnable task) {
            return schedule(task, 0, TimeUnit.NANOSECONDS);
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            long delayNanos = unit.toNanos(delay);
            var once = new Task(task, delayNanos) {
                @Override
                Disposable pass(long nanos) {
                    return nanos <= 0 ? worker().schedule(this) : worker().schedule(this, nanos, TimeUnit.NANOSECONDS);
                }

                @Override
                boolean forget() {
                    tasks.remove(this);
                    return super.forget();
                }
            };
            if (!tasks.add(once)) {
                throw Exceptions.failWithRejected();
            }
            return begin(once, delayNanos);
        }

        @Override
        public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
            return worker().schedulePeriodically(task, initialDelay, period, unit);
        }

        @Override
        public void dispose() {
            tasks.dispose();
            workers.dispose();
        }

        @Override
        public boolean isDisposed() {
            return workers.isDisposed();
        }
    }

    /** Has no effect, since the timer may be shared by the whole process. */
    @Override
    public void dispose() {}
}
