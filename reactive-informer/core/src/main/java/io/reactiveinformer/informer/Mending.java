package io.reactiveinformer.informer;

import io.reactiveinformer.backoff.Backoff.Delays;
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
        synchronized (this) {
            if (cause == null) {
                cause = failure;
            }
        }
        try {
            plan(true);
        } catch (Throwable again) {
            // the watchdog sees the cause, and plans it later
        }
    }

    /** @param news whether something else needs repair, which is to be said also if the repair is planned already */
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
