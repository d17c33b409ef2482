package io.reactiveinformer.internal.lease;

import io.reactiveinformer.internal.operator.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * The time for which the others count the holder of a lease as living at least. Measured by both clocks of the machine,
 * the monotonic one and the time of day, so that it is over after a long suspension. Thread-safe.
 *
 * <pre>
 *               renewed               end of the time, or end()
 *   NOT BEGUN ──────────▶ HOLDS ─────────────────────────────────▶ OVER
 * </pre>
 */
public final class LeaseTerm {

    private final Scheduler clock;
    private final Duration length;
    private volatile boolean ended;
    private volatile @Nullable Moment renewed;

    /** @param length how long it lasts after each renewal */
    public LeaseTerm(Scheduler clock, Duration length) {
        this.clock = clock;
        this.length = length;
    }

    public boolean holds() {
        return !ended && !remaining().isZero();
    }

    public boolean isOver() {
        return ended || isExpired();
    }

    /** Whether {@link #end} was called. */
    public boolean isEnded() {
        return ended;
    }

    /** Whether its time has run out, so that the others may count the holder as gone. */
    public boolean isExpired() {
        return renewed != null && remaining().isZero();
    }

    /** How long it lasts if it is not renewed; zero when its time has run out, or if it has not begun. */
    public Duration remaining() {
        Duration left = length.minus(sinceRenewed());
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** {@code time}, or the remaining time if that is less and the term has begun. */
    public Duration atMost(Duration time) {
        Duration left = remaining();
        return renewed != null && left.compareTo(time) < 0 ? left : time;
    }

    /** The time since the last request that renewed it was sent; its whole length if there was none. */
    public Duration sinceRenewed() {
        Moment last = renewed;
        return last == null ? length : last.past(clock);
    }

    /**
     * Renews it; no effect if it is over.
     *
     * @param sent when the request that renewed it was sent
     */
    public void renew(Moment sent) {
        if (!isOver()) {
            renewed = sent;
        }
    }

    public void end() {
        ended = true;
    }
}
