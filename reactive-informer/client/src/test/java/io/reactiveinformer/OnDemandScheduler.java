package io.reactiveinformer;

import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** Keeps what is scheduled, for now or for later, until the test runs it. */
public final class OnDemandScheduler implements Scheduler {

    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    public void runAll() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    @Override
    public Disposable schedule(Runnable task) {
        Disposable scheduled = Disposables.single();
        tasks.add(() -> {
            if (!scheduled.isDisposed()) {
                task.run();
            }
        });
        return scheduled;
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        return schedule(task);
    }

    @Override
    public Worker createWorker() {
        Disposable.Composite scheduled = Disposables.composite();
        return new Worker() {
            @Override
            public Disposable schedule(Runnable task) {
                Disposable one = OnDemandScheduler.this.schedule(task);
                scheduled.add(one);
                return one;
            }

            @Override
            public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
                return schedule(task);
            }

            @Override
            public void dispose() {
                scheduled.dispose();
            }
        };
    }
}
