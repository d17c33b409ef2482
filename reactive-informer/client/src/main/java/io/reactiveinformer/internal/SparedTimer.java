package io.reactiveinformer.internal;

import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

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
    private static final Scheduler SPARE = named("reactive-informer-spare-timer");

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

    /**
     * A timer on one daemon thread named {@code name}, started on first use; replaced by another one after each shortage of memory. It is
     * not made by Reactor's factory of schedulers: under virtual time, such a timer would end with the first test that needs it.
     */
    public static Scheduler named(String name) {
        return new SparedTimer(another(name), () -> another(name));
    }

    private static Scheduler another(String name) {
        return Schedulers.fromExecutorService(executor(name), name);
    }

    /** Cancelled tasks are removed at once, as by Reactor's own: each received part of a body cancels a time limit of a minute. */
    static ScheduledThreadPoolExecutor executor(String name) {
        var timer = new ScheduledThreadPoolExecutor(1, work -> new TimerThread(work, name));
        timer.setRemoveOnCancelPolicy(true);
        return timer;
    }

    /** The thread of a timer. Tasks on it must not block. */
    public static final class TimerThread extends Thread implements NonBlocking {

        private TimerThread(Runnable work, String name) {
            super(work, name);
            setDaemon(true);
        }
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
        return begin(new Task(task, nanos, null), nanos);
    }

    private Task begin(Task once, long nanos) {
        pending.add(once);
        try {
            once.schedule(nanos);
        } catch (Throwable refused) { // rethrown: what is not scheduled must not stay pending
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
    private final class Task implements Runnable, Disposable {

        private @Nullable Runnable task; // read and cleared by the caller of forget that got true
        private final long due; // by the clock of the machine, as the other timer may have another one
        private final Disposable.Swap scheduled = Disposables.swap();
        private final Disposable.@Nullable Composite tasks; // those of its worker

        Task(Runnable task, long nanos, Disposable.@Nullable Composite tasks) {
            this.task = task;
            this.due = System.nanoTime() + nanos;
            this.tasks = tasks;
        }

        private void schedule(long nanos) {
            scheduled.replace(nanos <= 0 ? current().schedule(this) : current().schedule(this, nanos, TimeUnit.NANOSECONDS));
        }

        /** Returns whether it has neither run nor been disposed of before. */
        boolean forget() {
            if (tasks != null) {
                tasks.remove(this);
            }
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

    /** Tasks that are disposed of together. They run in their order, as timers have one thread. */
    private final class SparedWorker implements Worker {

        private final Disposable.Composite tasks = Disposables.composite();

        @Override
        public Disposable schedule(Runnable task) {
            return schedule(task, 0, TimeUnit.NANOSECONDS);
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            long nanos = unit.toNanos(delay);
            var once = new Task(task, nanos, tasks);
            return begin(added(once), nanos);
        }

        @Override
        public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
            return added(SparedTimer.this.schedulePeriodically(task, initialDelay, period, unit));
        }

        private <D extends Disposable> D added(D task) {
            if (!tasks.add(task)) {
                throw Exceptions.failWithRejected();
            }
            return task;
        }

        @Override
        public void dispose() {
            tasks.dispose();
        }

        @Override
        public boolean isDisposed() {
            return tasks.isDisposed();
        }
    }

    /** Has no effect, since the timer may be shared by the whole process. */
    @Override
    public void dispose() {}
}
