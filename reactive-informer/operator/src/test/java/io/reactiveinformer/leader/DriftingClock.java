package io.reactiveinformer.leader;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

/**
 * One machine's clocks and threads: they run faster or slower than true time, show another time of day, which may be set, and can be
 * frozen, be suspended or die. Nanoseconds are of the monotonic clock, which stands while the machine is suspended.
 */
public class DriftingClock implements Scheduler {

    private final VirtualTimeScheduler truth;
    private final double rate;
    private final long skewNanos;
    private final List<Runnable> parked = new ArrayList<>();
    private boolean frozen;
    private long suspendedAt = -1;
    private long suspendedNanos;
    private long setNanos;
    private boolean dead;

    public DriftingClock(VirtualTimeScheduler truth, double rate, long skewNanos) {
        this.truth = truth;
        this.rate = rate;
        this.skewNanos = skewNanos;
    }

    /** Nothing runs any more, but the time goes on: a long pause of the whole process. */
    public void freeze() {
        frozen = true;
    }

    /** As {@link #freeze}, and the monotonic clock stands. */
    public void suspend() {
        freeze();
        suspendedAt = truth.now(TimeUnit.NANOSECONDS);
    }

    /** Sets the time of day forward, or back. */
    public void setTimeOfDay(Duration by) {
        setNanos += by.toNanos();
    }

    public void thaw() {
        frozen = false;
        suspendedNanos = stood();
        suspendedAt = -1;
        List<Runnable> due = List.copyOf(parked);
        parked.clear();
        due.forEach(this::run);
    }

    public boolean isFrozen() {
        return frozen;
    }

    public void die() {
        dead = true;
    }

    /** What a machine does when it can. */
    public void run(Runnable task) {
        if (dead) {
            return;
        }
        if (frozen) {
            parked.add(task);
        } else {
            task.run();
        }
    }

    private long trueNanos(long delay, TimeUnit unit) {
        return (long) Math.ceil(unit.toNanos(Math.max(0, delay)) / rate);
    }

    private long stood() {
        return suspendedNanos + (suspendedAt < 0 ? 0 : truth.now(TimeUnit.NANOSECONDS) - suspendedAt);
    }

    @Override
    public long now(TimeUnit unit) {
        boolean monotonic = unit.compareTo(TimeUnit.MILLISECONDS) < 0;
        long went = truth.now(TimeUnit.NANOSECONDS) - (monotonic ? stood() : 0);
        return unit.convert(skewNanos + (long) (went * rate) + (monotonic ? 0 : setNanos), TimeUnit.NANOSECONDS);
    }

    @Override
    public Disposable schedule(Runnable task) {
        return truth.schedule(() -> run(task));
    }

    @Override
    public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
        return truth.schedule(() -> run(task), trueNanos(delay, unit), TimeUnit.NANOSECONDS);
    }

    @Override
    public Worker createWorker() {
        Disposable.Composite tasks = Disposables.composite();
        return new Worker() {
            @Override
            public Disposable schedule(Runnable task) {
                return schedule(task, 0, TimeUnit.NANOSECONDS);
            }

            @Override
            public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
                Disposable scheduled = truth.schedule(() -> run(() -> {
                    if (!tasks.isDisposed()) {
                        task.run();
                    }
                }), trueNanos(delay, unit), TimeUnit.NANOSECONDS);
                tasks.add(scheduled);
                return scheduled;
            }

            @Override
            public void dispose() {
                tasks.dispose();
            }

            @Override
            public boolean isDisposed() {
                return tasks.isDisposed();
            }
        };
    }
}
