package io.reactiveinformer.queue;

import java.time.Duration;

/** The longer delay of two limiters. */
record LongerLimiter<K>(RateLimiter<K> one, RateLimiter<K> other) implements RateLimiter<K> {

    @Override
    public Duration next(K key) {
        Duration first = one.next(key);
        Duration second = other.next(key);
        return first.compareTo(second) > 0 ? first : second;
    }

    @Override
    public int retries(K key) {
        return Math.max(one.retries(key), other.retries(key));
    }

    @Override
    public void forget(K key) {
        one.forget(key);
        other.forget(key);
    }
}
