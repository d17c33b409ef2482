package io.reactiveinformer.queue;

import java.util.concurrent.TimeUnit;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** One timer task for the earliest of many delays. Thread-safe. */
final class Alarm {

    private static final long OFF = Long.MIN_VALUE;

    private final Scheduler timer;
    private final Runnable ring;

    // Guarded by this.
    private Disposable task = Disposables.disposed();
    private long armedFor = KeyState.NEVER;

    /** @param ring called when a delay is over; calls {@link #rings} before it reads the delays */
    Alarm(Scheduler timer, Runnable ring) {
        this.timer = timer;
        this.ring = ring;
    }

    /** Arms the timer for {@code due}, unless that is {@link KeyState#NEVER} or it is armed for an earlier time. */
    void arm(long due) {
        Disposable.Swap next;
        Disposable before;
        synchronized (this) {
            if (due >= armedFor) {
                return;
            }
            next = Disposables.swap();
            before = task;
            task = next;
            armedFor = due;
        }
        try { // without the lock: a timer may run its task within schedule, and other threads would wait meanwhile
            next.update(timer.schedule(ring, Math.max(1, due - timer.now(TimeUnit.NANOSECONDS)), TimeUnit.NANOSECONDS));
        } catch (Throwable refused) { // the next call arms it again
            rings();
            throw refused;
        }
        before.dispose();
    }

    /** The timer is not armed any more. */
    synchronized void rings() {
        armedFor = armedFor == OFF ? OFF : KeyState.NEVER;
    }

    /** Disarms the timer for ever. */
    void disarm() {
        Disposable before;
        synchronized (this) {
            before = task;
            task = Disposables.disposed();
            armedFor = OFF;
        }
        before.dispose();
    }
}
