package io.reactiveinformer.queue;

import java.time.Duration;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How long a key waits before it is tried again. Any thread may ask.
 *
 * @param <K> what is tried
 */
public interface RateLimiter<K> {

    /** The delay before the next try of {@code key}; asking counts as one failure. */
    Duration next(K key);

    /** How often {@link #next} was asked of {@code key} since it was forgotten; 0 where nobody counts. */
    int retries(K key);

    /** {@code key} worked: what is remembered of its failures is dropped. */
    void forget(K key);

    /** client-go's {@code DefaultTypedControllerRateLimiter}: 5 ms, doubled with each failure of a key up to 1,000 s, and of all keys 10 a second after 100. */
    static <K> RateLimiter<K> standard() {
        return standard(Schedulers.single());
    }

    /** As {@link #standard()}, by the time of {@code clock}. */
    static <K> RateLimiter<K> standard(Scheduler clock) {
        return longerOf(exponential(Duration.ofMillis(5), Duration.ofSeconds(1_000)), bucket(10, 100, clock));
    }

    /** {@code first * 2^n} after n failures of the key, at most {@code max}. */
    static <K> RateLimiter<K> exponential(Duration first, Duration max) {
        if (first.isNegative() || first.isZero() || max.compareTo(first) < 0) {
            throw new IllegalArgumentException("needs 0 < first <= max, was first " + first + ", max " + max);
        }
        Duration longest = max.compareTo(WorkQueue.LONGEST_DELAY) > 0 ? WorkQueue.LONGEST_DELAY : max;
        double shortest = first.getSeconds() * 1e9 + first.getNano();
        return new FailureLimiter<>(failures -> {
            double grown = shortest * Math.pow(2, failures);
            return grown < longest.toNanos() ? Duration.ofNanos((long) grown) : longest;
        });
    }

    /** {@code fast} for the first {@code quickTries} failures of the key, {@code slow} from then on. */
    static <K> RateLimiter<K> fastThenSlow(Duration fast, Duration slow, int quickTries) {
        return new FailureLimiter<>(failures -> failures < quickTries ? fast : slow);
    }

    /** All keys together: {@code burst} at once, then {@code perSecond}, in the order in which they ask. */
    static <K> RateLimiter<K> bucket(double perSecond, int burst, Scheduler clock) {
        return new BucketLimiter<>(perSecond, burst, clock);
    }

    /** The longer one of the delays that the two give; both are asked. */
    static <K> RateLimiter<K> longerOf(RateLimiter<K> one, RateLimiter<K> other) {
        return new LongerLimiter<>(one, other);
    }

    /** As this one, but never longer than {@code max}. */
    default RateLimiter<K> atMost(Duration max) {
        RateLimiter<K> unlimited = this;
        return new RateLimiter<>() {
            @Override
            public Duration next(K key) {
                Duration delay = unlimited.next(key);
                return delay.compareTo(max) > 0 ? max : delay;
            }

            @Override
            public int retries(K key) {
                return unlimited.retries(key);
            }

            @Override
            public void forget(K key) {
                unlimited.forget(key);
            }
        };
    }
}
