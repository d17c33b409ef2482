package io.reactiveinformer.view;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** Runs tasks when the test says so, on its thread; periodic ones when the test calls a tick. */
final class ManualScheduler implements Scheduler {

    private final ArrayDeque<Task> tasks = new ArrayDeque<>();
    private final List<Task> periodic = new ArrayList<>();
    private final List<Disposable> workers = new ArrayList<>();
    private boolean shutDown;

    private record Task(Runnable work, Disposable owner, Disposable self) {
        boolean isDue() {
            return !owner.isDisposed() && !self.isDisposed();
        }
    }

    int waiting() {
        return tasks.size();
    }

    void runNext() {
        Task task = tasks.poll();
        if (task != null && task.isDue()) {
            task.work.run();
        }
    }

    void runAll() {
        while (!tasks.isEmpty()) {
            runNext();
        }
    }

    void tick() {
        List.copyOf(periodic).stream().filter(Task::isDue).forEach(task -> task.work.run());
    }

    /** How many workers are not given back. */
    int workers() {
        return (int) workers.stream().filter(worker -> !worker.isDisposed()).count();
    }

    void shutDown() {
        shutDown = true;
    }

    @Override
    public Disposable schedule(Runnable task) {
        return enqueue(task, Disposables.single());
    }

    /** Runs with the next tick. */
    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        Disposable self = Disposables.single();
        periodic.add(new Task(() -> {
            self.dispose();
            task.run();
        }, Disposables.single(), self));
        return self;
    }

    private Disposable enqueue(Runnable task, Disposable owner) {
        if (shutDown || owner.isDisposed()) {
            throw new RejectedExecutionException("shut down");
        }
        Disposable self = Disposables.single();
        tasks.add(new Task(task, owner, self));
        return self;
    }

    @Override
    public Worker createWorker() {
        if (shutDown) {
            throw new RejectedExecutionException("shut down");
        }
        Disposable owner = Disposables.single();
        workers.add(owner);
        return new Worker() {
            @Override
            public Disposable schedule(Runnable task) {
                return enqueue(task, owner);
            }

            @Override
            public Disposable schedulePeriodically(Runnable task, long initialDelay, long period, TimeUnit unit) {
                Disposable self = Disposables.single();
                periodic.add(new Task(task, owner, self));
                return self;
            }

            @Override
            public void dispose() {
                owner.dispose();
            }

            @Override
            public boolean isDisposed() {
                return owner.isDisposed();
            }
        };
    }
}
