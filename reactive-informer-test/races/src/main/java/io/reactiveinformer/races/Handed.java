package io.reactiveinformer.races;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** Keeps tasks for the thread that {@link #play plays} them: one actor is then the worker of what the other wakes. */
public final class Handed implements Scheduler {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    /** Runs the tasks that are there, and those that they schedule. */
    public void play() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Override
    public Disposable schedule(Runnable task) {
        tasks.add(task);
        return Disposables.single();
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        return delay <= 0 ? schedule(task) : Disposables.single();
    }

    @Override
    public Worker createWorker() {
        return new Worker() {

            private volatile boolean disposed;

            @Override
            public Disposable schedule(Runnable task) {
                return disposed ? Disposables.disposed() : Handed.this.schedule(task);
            }

            @Override
            public void dispose() {
                disposed = true;
            }

            @Override
            public boolean isDisposed() {
                return disposed;
            }
        };
    }
}
