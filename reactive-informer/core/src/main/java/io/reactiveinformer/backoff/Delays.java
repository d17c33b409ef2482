package io.reactiveinformer.backoff;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/** Where one series of tries stands in its {@link Backoff}. Waits for nothing itself. Not for several threads at once. */
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

    /** How long to wait now that a try has failed. The next try is taken to begin when this time is over. */
    public Duration next() {
        return next(null);
    }

    /** A server that asks for more than this has made a mistake, and shall not be lost to us by it. */
    static final Duration LONGEST_FLOOR = Duration.ofMinutes(10);

    /**
     * As {@link #next()}, but not shorter than {@code floor}, or ten minutes if that is longer; where the floor is the longer one, it is
     * lengthened by as much as the delay would have been.
     */
    public Duration next(@Nullable Duration floor) {
        return next(floor, backoff.max());
    }

    /** As {@link #next(Duration)}, with another longest delay: of things that fail in a row, some may be asked for less often than others. */
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

    /** {@code delay}, lengthened by chance as these delays are. Counts for nothing. */
    public Duration spread(Duration delay) {
        return delay.plusMillis(Math.round(delay.toMillis() * backoff.jitter() * random.getAsDouble()));
    }

    /** How many tries in a row have failed. */
    public int failures() {
        return failures;
    }

    /** There was progress: the next delay is the first again. */
    public void reset() {
        failures = 0;
    }

    /** Nanoseconds, because these a scheduler takes from a clock that nobody sets. */
    private long now() {
        return clock.now(TimeUnit.NANOSECONDS);
    }
}
