package io.reactiveinformer.leader;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/**
 * A point in time by both clocks of a machine: the monotonic one, which on many systems stands while the machine is suspended, and the time of day,
 * which goes on then, and which somebody may set.
 */
public record Moment(long nanos, long millis) {

    public static Moment now(Scheduler clock) {
        return new Moment(clock.now(TimeUnit.NANOSECONDS), clock.now(TimeUnit.MILLISECONDS));
    }

    /** How long it is past by the clock that says more: so a clock that stood, or was set back, hides nothing that the other shows. */
    public Duration past(Scheduler clock) {
        Moment now = now(clock);
        long byTimeOfDay = TimeUnit.MILLISECONDS.toNanos(now.millis - millis);
        return Duration.ofNanos(Math.max(now.nanos - nanos, byTimeOfDay));
    }
}
