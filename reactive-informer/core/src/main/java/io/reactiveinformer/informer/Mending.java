package io.reactiveinformer.informer;

import io.reactiveinformer.backoff.Delays;
import io.reactiveinformer.internal.Watchdog;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * Runs a repair after something was thrown where nothing should be: after a pause, and again until the repair throws nothing. There may be
 * too little memory even for the first step: the {@link Watchdog} takes it later, and takes it again if a timer has lost it.
 */
final class Mending implements Watchdog.Watched {

    /** How late a timer may be before its task counts as lost. */
    private static final Duration LATE = Duration.ofSeconds(5);

    private static final long NEVER = Long.MIN_VALUE;

    private final Repair repair;
    private final Notice notice;
    private final Delays delays;
    private final Scheduler timer;
    private final Throwable doubt;

    private volatile @Nullable Throwable cause;
    private long due = NEVER; // guarded by this; by the timer's clock, in nanoseconds

    /** Must be idempotent. */
    interface Repair {

        /** @param doubtful whether nothing that was in progress can be trusted */
        void run(boolean doubtful);
    }

    /** Notified of a repair that will be tried. */
    interface Notice {
        void inA(Duration pause, int attempt, Throwable cause);
    }

    /** @param doubt the cause to report when memory was short; made in advance, while there is some */
    Mending(Repair repair, Notice notice, Delays delays, Scheduler timer, Throwable doubt) {
        this.repair = repair;
        this.notice = notice;
        this.delays = delays;
        this.timer = timer;
        this.doubt = doubt;
    }

    /** Plans a repair because of {@code failure}. Any thread may call this; throws nothing. */
    void needed(Throwable failure) {
        if (cause == null) {
            cause = failure;
        }
        try {
            plan();
        } catch (Throwable again) {
            // the watchdog sees the cause, and plans it later
        }
    }

    private void plan() {
        Throwable why = cause;
        Duration pause;
        synchronized (this) {
            long now = now();
            if (why == null || due != NEVER && now - due < LATE.toNanos()) {
                return;
            }
            pause = delays.next();
            timer.schedule(this::run, pause.toNanos(), TimeUnit.NANOSECONDS);
            due = now + pause.toNanos();
        }
        notice.inA(pause, delays.failures(), why);
    }

    private void run() {
        synchronized (this) {
            due = NEVER;
        }
        Throwable why = cause;
        cause = null;
        if (why == null) {
            return;
        }
        try {
            repair.run(why == doubt);
        } catch (Throwable failure) {
            needed(failure);
        }
    }

    @Override
    public boolean ails() {
        return cause != null;
    }

    @Override
    public void look() {
        plan();
    }

    @Override
    public void doubt() {
        cause = doubt; // this repair includes every other
        plan();
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }
}
