package io.reactiveinformer.backoff;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** The position of one series of attempts in its {@link Backoff}. Computes delays, and does not wait itself. Not thread-safe. */
public final class Delays {

    private final Backoff backoff;
    private final Scheduler clock;
    private final DoubleSupplier random;
    private int failures;
    private long tryBegins;

    Delays(Backoff backoff, Scheduler clock, DoubleSupplier random) {
        this.backoff = backoff;
        this.clock = clock;
        this.random = random;
        this.tryBegins = now();
    }

    /** The delay after a failed attempt. The next attempt is assumed to begin when this delay is over. */
    public Duration next() {
        return next(null);
    }

    /** The longest minimum that is respected: a server that asks for more has made a mistake, which must not keep clients away. */
    static final Duration LONGEST_FLOOR = Duration.ofMinutes(10);

    /**
     * As {@link #next()}, but not shorter than {@code floor}; a floor of more than ten minutes counts as ten minutes. If the floor is
     * longer than the delay, the floor is lengthened by as much as the delay would have been.
     *
     * @param floor the minimum; null for none
     */
    public Duration next(@Nullable Duration floor) {
        return next(floor, backoff.max());
    }

    /**
     * As {@link #next(Duration)}, with {@code max} in place of {@link Backoff#max()}: some failures in a row may call for rarer attempts
     * than others.
     */
    public Duration next(@Nullable Duration floor, Duration max) {
        long now = now();
        if (Duration.ofNanos(now - tryBegins).compareTo(backoff.resetAfter()) >= 0) { // which may be more nanoseconds than a long holds
            failures = 0;
        }
        double grown = backoff.first().toMillis() * Math.pow(backoff.factor(), failures);
        long base = Math.min(Math.round(grown), max.toMillis()); // round() stops at Long.MAX_VALUE: no overflow
        long spread = Math.round(base * backoff.jitter() * random.getAsDouble());
        long least = floor == null ? base : Math.max(base, floor.compareTo(LONGEST_FLOOR) > 0 ? LONGEST_FLOOR.toMillis() : floor.toMillis());
        failures++;
        Duration delay = Duration.ofMillis(least + spread);
        tryBegins = now + delay.toNanos();
        return delay;
    }

    /** {@code delay}, lengthened randomly as these delays are. Does not count as a failure. */
    public Duration spread(Duration delay) {
        return delay.plusMillis(Math.round(delay.toMillis() * backoff.jitter() * random.getAsDouble()));
    }

    /** How many attempts in a row have failed. */
    public int failures() {
        return failures;
    }

    /** Starts over after progress: the next delay is the first again. */
    public void reset() {
        failures = 0;
    }

    /** In nanoseconds, which a scheduler reads from a monotonic clock. */
    private long now() {
        return clock.now(TimeUnit.NANOSECONDS);
    }
}
