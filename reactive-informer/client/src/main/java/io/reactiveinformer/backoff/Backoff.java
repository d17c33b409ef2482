package io.reactiveinformer.backoff;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/**
 * The delays between attempts that fail in a row. The n-th delay, counted from 0, is {@code first * factor^n}, at most {@code max}. Each
 * delay is then lengthened randomly, so that many clients that failed at the same time do not return at the same time. Immutable.
 *
 * @param first the shortest delay; 1 ms or more
 * @param max the longest delay, before the random part; at least {@code first}, at most a year
 * @param factor the ratio of each delay to the one before; 1 or more
 * @param jitter the random part: a delay {@code d} becomes one between {@code d} and {@code d * (1 + jitter)}, never a shorter one. From 0
 *     to 100
 * @param resetAfter an attempt that lasted this long before it failed counts as successful: the delays start over. Longer than zero
 */
public record Backoff(Duration first, Duration max, double factor, double jitter, Duration resetAfter) {

    private static final Duration YEAR = Duration.ofDays(365);

    /** @throws IllegalArgumentException if a value is out of its range; the message names it */
    public Backoff {
        if (first.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("first must be at least 1 ms, or a failing server is flooded with requests; was " + first);
        }
        if (max.compareTo(YEAR) > 0) {
            throw new IllegalArgumentException("max must be at most a year (" + YEAR + "), was " + max);
        }
        if (resetAfter.isZero() || resetAfter.isNegative()) {
            throw new IllegalArgumentException("resetAfter must be longer than zero, or the delays never grow; was " + resetAfter);
        }
        if (max.compareTo(first) < 0) {
            throw new IllegalArgumentException("max must be at least first (" + first + "), was " + max);
        }
        if (!(factor >= 1)) {
            throw new IllegalArgumentException("factor must be at least 1, was " + factor);
        }
        if (!(jitter >= 0 && jitter <= 100)) {
            throw new IllegalArgumentException("jitter must be from 0 (none) to 100, was " + jitter);
        }
    }

    /**
     * Delays that double, each lengthened by up to its own length, and that start over after an attempt that lasted for {@code 4 * max}:
     * twice the longest possible pause, so that a server with repeated failures does not count as recovered.
     *
     * @throws IllegalArgumentException if {@code first} is less than 1 ms, or {@code max} less than {@code first} or more than a year
     */
    public static Backoff between(Duration first, Duration max) {
        return new Backoff(first, max, 2, 1, max.compareTo(YEAR) > 0 ? max : max.multipliedBy(4));
    }

    /**
     * A copy with another factor.
     *
     * @throws IllegalArgumentException if it is less than 1
     */
    public Backoff withFactor(double other) {
        return new Backoff(first, max, other, jitter, resetAfter);
    }

    /**
     * A copy with another jitter.
     *
     * @throws IllegalArgumentException if it is not from 0 to 100
     */
    public Backoff withJitter(double other) {
        return new Backoff(first, max, factor, other, resetAfter);
    }

    /**
     * A copy with another time after which the delays start over.
     *
     * @throws IllegalArgumentException if it is zero or negative
     */
    public Backoff withResetAfter(Duration other) {
        return new Backoff(first, max, factor, jitter, other);
    }

    /**
     * The delays of one series of attempts, which begins now.
     *
     * @param clock measures how long attempts last
     */
    public Delays delays(Scheduler clock) {
        return delays(clock, () -> ThreadLocalRandom.current().nextDouble());
    }

    /**
     * As {@link #delays(Scheduler)}.
     *
     * @param random returns numbers in [0, 1), from which the random part of each delay is computed
     */
    public Delays delays(Scheduler clock, DoubleSupplier random) {
        return new Delays(this, clock, random);
    }

    /**
     * A specification for {@code retryWhen} that retries without limit, after these delays. The delays start over whenever the sequence has
     * emitted a value since the last failure. Each subscription has delays of its own.
     *
     * <pre>
     * source  ──a──✕      ──✕          ──b──✕
     * result  ──a── d ──── ── 2d ────── ──b── d ── …
     * </pre>
     */
    public Retry retry(Scheduler timer) {
        return retry(timer, failure -> null);
    }

    /**
     * As {@link #retry(Scheduler)}.
     *
     * @param atLeast the minimum delay after a failure, such as its Retry-After; null for no minimum. Limited as in
     *     {@link Delays#next(Duration)}
     */
    public Retry retry(Scheduler timer, Function<? super Throwable, @Nullable Duration> atLeast) {
        return retry(timer, atLeast, failure -> true);
    }

    /**
     * As {@link #retry(Scheduler, Function)}.
     *
     * @param worthwhile the failures after which to retry; any other is emitted to the subscriber
     */
    public Retry retry(Scheduler timer, Function<? super Throwable, @Nullable Duration> atLeast, Predicate<? super Throwable> worthwhile) {
        return Retry.from(signals -> Flux.defer(() -> {
            Delays delays = delays(timer);
            return signals.concatMap(signal -> {
                Throwable failure = signal.failure();
                if (!worthwhile.test(failure)) {
                    return Mono.<Long>error(failure);
                }
                if (signal.totalRetriesInARow() == 0) {
                    delays.reset();
                }
                return Mono.delay(delays.next(atLeast.apply(failure)), timer);
            });
        }));
    }

    /** The delays of one series of attempts. Computes them, and does not wait itself. Not thread-safe. */
    public static final class Delays {

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

        /** Counts a failed attempt and returns the delay before the next one, which is assumed to begin when the delay is over. */
        public Duration next() {
            return next(null);
        }

        /** The longest minimum that counts: a server that asks for more has made a mistake, which must not keep clients away. */
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
         * As {@link #next(Duration)}, with {@code max} in place of {@link Backoff#max()}: some failures may need longer delays than others.
         */
        public Duration next(@Nullable Duration floor, Duration max) {
            long now = now();
            if (Duration.ofNanos(now - tryBegins).compareTo(backoff.resetAfter()) >= 0) { // it may have more nanoseconds than a long holds
                failures = 0;
            }
            double grown = backoff.first().toMillis() * Math.pow(backoff.factor(), failures);
            long base = Math.min(Math.round(grown), max.toMillis()); // round() stops at Long.MAX_VALUE: no overflow
            long spread = Math.round(base * backoff.jitter() * random.getAsDouble());
            long least = floor == null
                    ? base : Math.max(base, floor.compareTo(LONGEST_FLOOR) > 0 ? LONGEST_FLOOR.toMillis() : floor.toMillis());
            failures++;
            Duration delay = Duration.ofMillis(least + spread);
            tryBegins = now + delay.toNanos();
            return delay;
        }

        /** Returns {@code delay}, lengthened randomly like these delays. Does not count as a failure. */
        public Duration spread(Duration delay) {
            return delay.plusMillis(Math.round(delay.toMillis() * backoff.jitter() * random.getAsDouble()));
        }

        /** The number of failed attempts in a row. */
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
}
