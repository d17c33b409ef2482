package io.reactiveinformer.sharding;

import io.reactiveinformer.internal.operator.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The time for which the others count a member as living at least. Measured by both clocks of the machine, the monotonic one and the time
 * of day, so that it is over after a long suspension. Thread-safe.
 *
 * <pre>
 *               renewed               end of the time, or end()
 *   NOT BEGUN ──────────▶ HOLDS ─────────────────────────────────▶ OVER
 * </pre>
 */
final class Tenure {

    private final Scheduler clock;
    private final Duration length;
    private volatile boolean ended;
    private volatile @Nullable Moment renewed;

    /** @param length how long it lasts after each renewal */
    Tenure(Scheduler clock, Duration length) {
        this.clock = clock;
        this.length = length;
    }

    boolean holds() {
        Moment last = renewed;
        return last != null && !ended && !left(last).isZero();
    }

    boolean isOver() {
        return ended || isExpired();
    }

    /** Whether its time has run out, so that the others may count this member as gone. */
    boolean isExpired() {
        Moment last = renewed;
        return last != null && left(last).isZero();
    }

    /** {@code time}, or the remaining time if that is less. */
    Duration atMost(Duration time) {
        Moment last = renewed;
        return last != null && left(last).compareTo(time) < 0 ? left(last) : time;
    }

    /**
     * Renews the tenure; no effect if it is over.
     *
     * @param sent when the request that renewed it was sent
     */
    void renew(Moment sent) {
        if (!isOver()) {
            renewed = sent;
        }
    }

    void end() {
        ended = true;
    }

    private Duration left(Moment last) {
        Duration left = length.minus(last.past(clock));
        return left.isNegative() ? Duration.ZERO : left;
    }
}
