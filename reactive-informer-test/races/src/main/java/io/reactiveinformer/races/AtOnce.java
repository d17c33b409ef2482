package io.reactiveinformer.races;

import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** Runs tasks on the thread that schedules them, and those with a delay never: time does not pass within a test. */
public final class AtOnce implements Scheduler {

    @Override
    public Disposable schedule(Runnable task) {
        task.run();
        return Disposables.disposed();
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        return delay <= 0 ? schedule(task) : Disposables.single();
    }

    @Override
    public long now(TimeUnit unit) {
        return 0;
    }

    @Override
    public Worker createWorker() {
        return new Worker() {

            private volatile boolean disposed;

            @Override
            public Disposable schedule(Runnable task) {
                if (!disposed) {
                    task.run();
                }
                return Disposables.disposed();
            }

            @Override
            public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
                return delay <= 0 ? schedule(task) : Disposables.single();
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
