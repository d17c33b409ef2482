package io.reactiveinformer.internal.informer;

import io.reactiveinformer.internal.SparedTimer;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BiConsumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * {@code Schedulers.parallel()}, but no task waits there forever behind a task that blocks: a worker whose next task has not started after
 * at most twice {@link #PATIENCE} moves, with all its waiting tasks, to another scheduler, the refuge. A task that blocks delays only its
 * own worker for longer than that.
 */
public final class SharedThreads implements Scheduler {

    /** Far longer than a busy thread needs to start the next task, but short for a task that waits behind a blocked one. */
    static final Duration PATIENCE = Duration.ofMillis(500);

    /**
     * Has one thread for each subscriber that blocks, and for the others that move here as many as run at once. Threads are started on
     * demand, and end after a minute without work.
     */
    private static final class Status {
        static final Scheduler THREADS = Schedulers.fromExecutor(
                new ThreadPoolExecutor(0, Integer.MAX_VALUE, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), Status::thread),
                true); // one by one

        private static Thread thread(Runnable work) {
            var thread = new Thread(work, "informer-status");
            thread.setDaemon(true);
            return thread;
        }
    }

    private final Scheduler parallel = Schedulers.parallel();
    private final Scheduler timer = SparedTimer.of(Schedulers.single());
    private final Supplier<Scheduler> refuge;

    /** @param refuge the scheduler for workers whose tasks have not started in time */
    SharedThreads(Supplier<Scheduler> refuge) {
        this.refuge = refuge;
    }

    /**
     * The scheduler on which changes are delivered unless a delivery names another; the refuge is {@code Schedulers.boundedElastic()}. To
     * be called at each subscription, so that virtual time takes effect.
     */
    public static Scheduler ofChanges() {
        return new SharedThreads(Schedulers::boundedElastic);
    }

    /**
     * The scheduler on which statuses are delivered. Subscribers that wait too long continue on threads that subscribers to changes cannot
     * occupy, however many of these block. A subscriber to a status that blocks costs one of these threads, and no other subscriber waits
     * for it. While idle, there is no such thread.
     */
    public static Scheduler ofStatuses() {
        return new SharedThreads(() -> Status.THREADS);
    }

    @Override
    public Disposable schedule(Runnable task) {
        return once(task, Worker::schedule);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        return once(task, (worker, once) -> worker.schedule(once, delay, unit));
    }

    /** Runs the task on a worker of its own, which is disposed of afterwards. */
    private Disposable once(Runnable task, BiConsumer<Worker, Runnable> pass) {
        Worker worker = createWorker();
        var steps = new AtomicInteger();
        Runnable release = () -> {
            if (steps.incrementAndGet() == 2) { // it was passed to the worker, and has run
                worker.dispose();
            }
        };
        pass.accept(worker, () -> {
            try {
                task.run();
            } finally {
                release.run();
            }
        });
        release.run();
        return worker;
    }

    @Override
    public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
        Worker worker = createWorker();
        worker.schedulePeriodically(task, initialDelay, period, unit);
        return worker;
    }

    @Override
    public long now(TimeUnit unit) {
        return parallel.now(unit);
    }

    @Override
    public Worker createWorker() {
        return new PatientWorker(parallel.createWorker(), timer.createWorker(), refuge);
    }

    private static final class PatientWorker implements Worker {

        private final Worker timers;
        private final AtomicBoolean watched = new AtomicBoolean();
        private final Queue<Turn> waiting = new ArrayDeque<>(); // guarded by itself; no foreign code is called under the lock
        private @Nullable Turn seenWaiting; // used by the timer only
        private final Worker home;
        private final Supplier<Scheduler> refuge;
        private final Disposable.Composite refuges = Disposables.composite();
        private volatile Worker thread; // home, or the latest of the refuges

        PatientWorker(Worker home, Worker timers, Supplier<Scheduler> refuge) {
            this.refuge = refuge;
            this.home = home;
            this.thread = home;
            this.timers = timers;
        }

        @Override
        public Disposable schedule(Runnable task) {
            var turn = new Turn(task);
            synchronized (waiting) {
                waiting.add(turn);
            }
            give(turn, thread);
            watch();
            return turn;
        }

        /**
         * Passes the task to {@code chosen}. If a refuge cannot start a thread, the worker returns home: the refuge
         * might wait for a thread forever.
         */
        private void give(Turn turn, Worker chosen) {
            try {
                chosen.schedule(turn);
            } catch (Throwable noThread) { // or memory
                if (chosen == home || isDisposed()) {
                    turn.dispose();
                    throw noThread;
                }
                thread = home;
                give(turn, home);
            }
        }

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            return timers.schedule(() -> runDue(task), delay, unit);
        }

        @Override
        public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
            return timers.schedulePeriodically(() -> runDue(task), initialDelay, period, unit);
        }

        /** A task that was accepted is not dropped when it is due: if no thread takes it, it runs on the timer's. */
        private void runDue(Runnable task) {
            try {
                schedule(task);
            } catch (Throwable noThread) { // or memory
                if (!isDisposed()) {
                    task.run();
                }
            }
        }

        private void watch() {
            if (thread == home && watched.compareAndSet(false, true)) {
                try {
                    timers.schedule(this::look, PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
                } catch (Throwable noTimer) { // waiting tasks run nevertheless, and the next task tries again
                    watched.set(false);
                }
            }
        }

        private void look() {
            watched.set(false);
            Turn next;
            synchronized (waiting) {
                next = waiting.peek();
            }
            if (next != null && next == seenWaiting) {
                move(next);
            } else if (next != null) {
                seenWaiting = next;
                watch();
            }
        }

        /** Moves to a refuge; if that fails, because no thread can be started, tries again later. */
        private void move(Turn next) {
            Worker other = null;
            try {
                other = refuge.get().createWorker();
                refuges.add(other); // before it runs a task that disposes of this worker
                other.schedule(next);
                thread = other;
                List<Turn> left;
                synchronized (waiting) {
                    left = List.copyOf(waiting);
                }
                left.forEach(other::schedule);
            } catch (Throwable noThread) { // or memory
                if (other != null && thread != other) { // it has refused the first task, and no task was given to it
                    refuges.remove(other);
                    other.dispose();
                }
                thread = home;
                watch();
            }
        }

        @Override
        public void dispose() {
            home.dispose();
            timers.dispose();
            refuges.dispose();
        }

        @Override
        public boolean isDisposed() {
            return home.isDisposed();
        }

        /** A task that runs once, on the scheduler that reaches it first. */
        private final class Turn implements Runnable, Disposable {

            private final Runnable task;

            Turn(Runnable task) {
                this.task = task;
            }

            @Override
            public void run() {
                if (take()) {
                    task.run();
                }
            }

            @Override
            public void dispose() {
                take();
            }

            private boolean take() {
                synchronized (waiting) {
                    return waiting.remove(this);
                }
            }
        }
    }
}
