package io.reactiveinformer;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** Loses or refuses tasks, as many as the test says, as a timer does for want of memory; also loses what its tasks throw. */
public final class PoorTimer implements Scheduler {

    private final Scheduler timer;
    private final AtomicInteger losses = new AtomicInteger();
    private final AtomicInteger refusals = new AtomicInteger();

    public PoorTimer(Scheduler timer) {
        this.timer = timer;
    }

    public void loses(int tasks) {
        losses.set(tasks);
    }

    public void refuses(int tasks) {
        refusals.set(tasks);
    }

    private static boolean counts(AtomicInteger left) {
        return left.getAndUpdate(number -> Math.max(0, number - 1)) > 0;
    }

    @Override
    public long now(TimeUnit unit) {
        return timer.now(unit);
    }

    @Override
    public Disposable schedule(Runnable task) {
        return schedule(task, 0, TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        if (counts(refusals)) {
            throw new OutOfMemoryError("for a task");
        }
        return counts(losses) ? Disposables.single() : timer.schedule(() -> run(task), delay, unit);
    }

    private static void run(Runnable task) {
        try {
            task.run();
        } catch (Throwable lost) {
            // as by any timer, which logs it
        }
    }

    @Override
    public Worker createWorker() {
        return timer.createWorker();
    }
}
