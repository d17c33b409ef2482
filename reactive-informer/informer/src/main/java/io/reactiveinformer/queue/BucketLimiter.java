package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/** A bucket of tokens that fills at a rate. If it is empty, the caller takes a future token and gets the delay until then. */
final class BucketLimiter<K> implements RateLimiter<K> {

    private final double nanosPerToken;
    private final double burst;
    private final Scheduler clock;

    // Guarded by this.
    private double tokens; // below zero: taken in advance
    private long filledAt;

    BucketLimiter(double perSecond, int burst, Scheduler clock) {
        if (!(perSecond > 0) || burst < 1) {
            throw new IllegalArgumentException("a token bucket needs a rate above 0 and a burst of at least 1, was "
                    + perSecond + " a second, burst " + burst);
        }
        this.nanosPerToken = 1e9 / perSecond;
        this.burst = burst;
        this.clock = clock;
        this.tokens = burst;
        this.filledAt = clock.now(TimeUnit.NANOSECONDS);
    }

    @Override
    public synchronized Duration next(K key) {
        long now = clock.now(TimeUnit.NANOSECONDS);
        tokens = Math.min(burst, tokens + (now - filledAt) / nanosPerToken) - 1;
        filledAt = now;
        return tokens >= 0 ? Duration.ZERO : Duration.ofNanos((long) Math.ceil(-tokens * nanosPerToken));
    }

    @Override
    public int retries(K key) {
        return 0;
    }

    @Override
    public void forget(K key) {}
}
