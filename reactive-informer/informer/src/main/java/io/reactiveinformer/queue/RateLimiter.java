package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import java.util.function.ToIntFunction;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * Computes the delay before a key is tried again. Thread-safe.
 *
 * <p>A {@link WorkQueue} asks only after a failure that followed a delay that was waited. Work that something else
 * caused may fail at any time during the delay; the delay then ends when it would have ended, and nothing is counted.
 * So a key is never delayed for longer than it has been failing, however often it is added meanwhile. client-go, in
 * contrast, counts each failure.
 *
 * @param <K> the keys
 */
public interface RateLimiter<K> {

    /** The delay before the next try of {@code key}; each call counts as one failure of it. */
    Duration next(K key);

    /**
     * The number of calls of {@link #next} for {@code key} since the last {@link #forget}; 0 if this limiter does not
     * count.
     */
    int retries(K key);

    /** Drops the failure count of {@code key}; called when its work succeeded or was given up. */
    void forget(K key);

    /**
     * As client-go's {@code DefaultTypedControllerRateLimiter}: 5 ms, doubled with each failure of a key, up to 1,000
     * s; and for all keys together 10 a second after a burst of 100. The longer of both delays counts. Measures time by
     * {@code Schedulers.single()}.
     */
    static <K> RateLimiter<K> standard() {
        return standard(Schedulers.single());
    }

    /** As {@link #standard()}, but measures time by {@code clock}. */
    static <K> RateLimiter<K> standard(Scheduler clock) {
        return longerOf(exponential(Duration.ofMillis(5), Duration.ofSeconds(1_000)), bucket(10, 100, clock));
    }

    /**
     * {@code first * 2^n} after n earlier failures of the key, at most {@code max} and {@link WorkQueue#LONGEST_DELAY}.
     *
     * @throws IllegalArgumentException unless {@code 0 < first <= max}
     */
    static <K> RateLimiter<K> exponential(Duration first, Duration max) {
        if (first.isNegative() || first.isZero() || max.compareTo(first) < 0) {
            throw new IllegalArgumentException("needs 0 < first <= max, was first " + first + ", max " + max);
        }
        Duration longest = max.compareTo(WorkQueue.LONGEST_DELAY) > 0 ? WorkQueue.LONGEST_DELAY : max;
        double shortest = first.getSeconds() * 1e9 + first.getNano();
        return counting(failures -> {
            double grown = shortest * Math.pow(2, failures);
            return grown < longest.toNanos() ? Duration.ofNanos((long) grown) : longest;
        });
    }

    /** {@code fast} for the first {@code quickTries} failures of a key in a row, {@code slow} from then on. */
    static <K> RateLimiter<K> fastThenSlow(Duration fast, Duration slow, int quickTries) {
        return counting(failures -> failures < quickTries ? fast : slow);
    }

    /**
     * Keeps only keys that have failed.
     *
     * @param delays the delay by the number of failures before this one
     */
    private static <K> RateLimiter<K> counting(IntFunction<Duration> delays) {
        Map<K, Integer> failures = new ConcurrentHashMap<>();
        return of(key -> delays.apply(failures.merge(key, 1, (before, one) -> Math.max(before, before + one)) - 1),
                key -> failures.getOrDefault(key, 0), failures::remove);
    }

    private static <K> RateLimiter<K> of(
            Function<K, Duration> next, ToIntFunction<K> retries, Consumer<K> forget) {
        return new RateLimiter<>() {
            @Override
            public Duration next(K key) {
                return next.apply(key);
            }

            @Override
            public int retries(K key) {
                return retries.applyAsInt(key);
            }

            @Override
            public void forget(K key) {
                forget.accept(key);
            }
        };
    }

    /**
     * A token bucket for all keys together: no delay for the first {@code burst} calls of {@link #next}, then
     * {@code perSecond} calls a second, in the order of the calls. Does not count failures.
     *
     * @throws IllegalArgumentException unless {@code perSecond} is above 0 and {@code burst} at least 1
     */
    static <K> RateLimiter<K> bucket(double perSecond, int burst, Scheduler clock) {
        if (!(perSecond > 0) || burst < 1) {
            throw new IllegalArgumentException("a token bucket needs a rate above 0 and a burst of at least 1, was "
                    + perSecond + " a second, burst " + burst);
        }
        class Bucket {

            // Guarded by this.
            private double tokens = burst; // below zero: taken in advance
            private long filledAt = clock.now(TimeUnit.NANOSECONDS);

            synchronized Duration next() {
                long now = clock.now(TimeUnit.NANOSECONDS);
                tokens = Math.min(burst, tokens + (now - filledAt) * perSecond / 1e9) - 1;
                filledAt = now;
                return tokens >= 0 ? Duration.ZERO : Duration.ofNanos((long) Math.ceil(-tokens * 1e9 / perSecond));
            }
        }
        var bucket = new Bucket();
        return of(key -> bucket.next(), key -> 0, key -> {});
    }

    /**
     * A limiter with the longer delay of {@code one} and {@code other}, and the larger count of failures; each call
     * goes to both.
     */
    static <K> RateLimiter<K> longerOf(RateLimiter<K> one, RateLimiter<K> other) {
        return of(key -> {
            Duration first = one.next(key);
            Duration second = other.next(key);
            return first.compareTo(second) > 0 ? first : second;
        }, key -> Math.max(one.retries(key), other.retries(key)), key -> {
            one.forget(key);
            other.forget(key);
        });
    }

    /** This limiter, with delays of at most {@code max}. The counts are shared with this limiter. */
    default RateLimiter<K> atMost(Duration max) {
        return of(key -> {
            Duration delay = next(key);
            return delay.compareTo(max) > 0 ? max : delay;
        }, this::retries, this::forget);
    }
}
