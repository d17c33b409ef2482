package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.IntFunction;

/** Delays by the number of failures of a key in a row. Keeps only keys that have failed. */
final class FailureLimiter<K> implements RateLimiter<K> {

    private final Map<K, Integer> failures = new ConcurrentHashMap<>();
    private final IntFunction<Duration> delays;

    /** @param delays the delay by the number of failures before this one */
    FailureLimiter(IntFunction<Duration> delays) {
        this.delays = delays;
    }

    @Override
    public Duration next(K key) {
        return delays.apply(failures.merge(key, 1, (before, one) -> before == Integer.MAX_VALUE ? before : before + one) - 1);
    }

    @Override
    public int retries(K key) {
        return failures.getOrDefault(key, 0);
    }

    @Override
    public void forget(K key) {
        failures.remove(key);
    }
}
