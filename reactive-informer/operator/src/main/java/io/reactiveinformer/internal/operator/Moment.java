package io.reactiveinformer.internal.operator;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * A point in time by both clocks of a machine: the monotonic one, which on many systems stands still while the machine is suspended, and
 * the time of day, which goes on then but may be set.
 *
 * @param nanos the monotonic clock in nanoseconds
 * @param millis the time of day in milliseconds
 */
public record Moment(long nanos, long millis) {

    /** The current moment by {@code clock}. */
    public static Moment now(Scheduler clock) {
        return new Moment(clock.now(TimeUnit.NANOSECONDS), clock.now(TimeUnit.MILLISECONDS));
    }

    /**
     * The time since this moment, by the clock that shows more: so a clock that stood still, or was set back, hides nothing that the other
     * shows.
     *
     * @param clock the scheduler with which this moment was made
     */
    public Duration past(Scheduler clock) {
        Moment now = now(clock);
        long byTimeOfDay = TimeUnit.MILLISECONDS.toNanos(now.millis - millis);
        return Duration.ofNanos(Math.max(now.nanos - nanos, byTimeOfDay));
    }
}
