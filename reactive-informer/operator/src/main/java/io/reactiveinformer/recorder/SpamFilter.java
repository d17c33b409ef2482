package io.reactiveinformer.recorder;

import java.time.Duration;

/** client-go's {@code EventSourceObjectSpamFilter}, with its numbers: a token bucket for each object. Not thread-safe. */
final class SpamFilter {

    static final int BURST = 25;
    static final Duration REFILL = Duration.ofMinutes(5);

    private final Recent<ObjectReference, Bucket> buckets = new Recent<>(Aggregation.REMEMBERED);

    private static final class Bucket {
        double tokens = BURST;
        long latest;

        Bucket(long now) {
            latest = now;
        }
    }

    boolean admits(ObjectReference regarding, long now) {
        Bucket bucket = buckets.get(regarding.whole(), () -> new Bucket(now));
        bucket.tokens = Math.min(BURST, bucket.tokens + (double) (now - bucket.latest) / REFILL.toNanos());
        bucket.latest = now;
        if (bucket.tokens < 1) {
            return false;
        }
        bucket.tokens--;
        return true;
    }
}
