package io.reactiveinformer.informer;

import io.reactiveinformer.backoff.Backoff.Delays;
import io.reactiveinformer.internal.Watchdog;
import io.reactiveinformer.internal.informer.Contained;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * Runs a repair after an error where none is expected: after a pause, and again until the repair succeeds. Memory may be too short even to
 * plan the repair: then the {@link Watchdog} plans it later, and again if the timer has lost it.
 */
final class PartRestarts implements Watchdog.Watched {

    /** The delay after which the task of a timer counts as lost. */
    private static final Duration LATE = Duration.ofSeconds(5);

    private static final long NEVER = Long.MIN_VALUE;

    private final Repair repair;
    private final Notice notice;
    private final Delays delays;
    private final Scheduler timer;
    private final Throwable doubt;
    private final Consumer<Throwable> needed = this::needed; // made in advance, as doubt is

    private volatile @Nullable Throwable cause;
    private long due = NEVER; // nanoseconds of the timer's clock; guarded by this

    /** A repair. Must be idempotent. */
    interface Repair {

        /** @param doubtful whether anything in progress may have been lost, so that all of it starts over */
        void run(boolean doubtful);
    }

    /** Is notified of a planned repair. */
    interface Notice {
        void inA(Duration pause, int attempt, Throwable cause);
    }

    /** @param doubt the cause to report when memory was short; created in advance, while there is memory */
    PartRestarts(Repair repair, Notice notice, Delays delays, Scheduler timer, Throwable doubt) {
        this.repair = repair;
        this.notice = notice;
        this.delays = delays;
        this.timer = timer;
        this.doubt = doubt;
    }

    /** Plans a repair because of {@code failure}. Any thread may call this; throws nothing. */
    void needed(Throwable failure) {
        synchronized (this) {
            if (cause == null) {
                cause = failure;
            }
        }
        // if this throws, the watchdog sees the cause, and plans the repair later
        Contained.call(PartRestarts::plan, this, true, again -> {});
    }

    /** @param news whether there is a new cause, so that the notice is given also if a repair is planned already */
    private void plan(boolean news) {
        Throwable why;
        Duration pause;
        synchronized (this) {
            why = cause;
            long now = now();
            boolean planned = due != NEVER && now - due < LATE.toNanos();
            if (why == null || planned && !news) {
                return;
            }
            if (planned) {
                pause = Duration.ofNanos(Math.max(0, due - now));
            } else {
                pause = delays.next();
                timer.schedule(this::run, pause.toNanos(), TimeUnit.NANOSECONDS);
                due = now + pause.toNanos();
            }
        }
        notice.inA(pause, delays.failures(), why);
    }

    private void run() {
        Throwable why;
        synchronized (this) {
            due = NEVER;
            why = cause;
            cause = null;
        }
        if (why == null) {
            return;
        }
        Contained.call(Repair::run, repair, why == doubt, needed);
    }

    @Override
    public boolean ails() {
        return cause != null;
    }

    @Override
    public void look() {
        plan(false);
    }

    @Override
    public void doubt() {
        synchronized (this) {
            cause = doubt; // this repair includes every other
        }
        plan(false);
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }
}
