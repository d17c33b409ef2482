package io.reactiveinformer.sharding;

import io.reactiveinformer.leader.Moment;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * For how long others count a member as living, at least: by both clocks of the machine, so that one that was suspended learns what it has missed. Any thread may
 * ask.
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

    /** @param length for which it holds from each renewal */
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

    /** Whether its time ran out, so that others may count this member as gone. */
    boolean isExpired() {
        Moment last = renewed;
        return last != null && left(last).isZero();
    }

    /** {@code time}, or what is left, if that is less. */
    Duration atMost(Duration time) {
        Moment last = renewed;
        return last != null && left(last).compareTo(time) < 0 ? left(last) : time;
    }

    /**
     * One whose time has run out stays so.
     *
     * @param sent when the request was sent that renewed it
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
