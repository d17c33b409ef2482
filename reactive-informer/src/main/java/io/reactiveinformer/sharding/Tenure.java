package io.reactiveinformer.sharding;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * For how long others count a member as living, at least. Any thread may ask.
 *
 * <pre>
 *               renewed               end of the time, or end()
 *   NOT BEGUN ──────────▶ HOLDS ─────────────────────────────────▶ OVER
 * </pre>
 */
final class Tenure {

    private final Scheduler clock;
    private volatile boolean begun;
    private volatile boolean ended;
    private volatile long deadline;

    Tenure(Scheduler clock) {
        this.clock = clock;
    }

    boolean holds() {
        return begun && !ended && left() > 0;
    }

    boolean isOver() {
        return ended || isExpired();
    }

    /** Whether its time ran out, so that others may count this member as gone. */
    boolean isExpired() {
        return begun && left() <= 0;
    }

    /** {@code time}, or what is left, if that is less. */
    Duration atMost(Duration time) {
        return begun && left() < time.toNanos() ? Duration.ofNanos(Math.max(0, left())) : time;
    }

    /** One whose time has run out stays so. */
    void renew(long newDeadline) {
        if (!isOver()) {
            deadline = newDeadline;
            begun = true;
        }
    }

    void end() {
        ended = true;
    }

    private long left() {
        return deadline - clock.now(TimeUnit.NANOSECONDS);
    }
}
