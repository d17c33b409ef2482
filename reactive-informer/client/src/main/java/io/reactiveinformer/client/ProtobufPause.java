package io.reactiveinformer.client;

import io.reactiveinformer.resource.KubernetesException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.scheduler.Scheduler;

/**
 * When to request JSON instead of protocol buffers: after a refusal, or an answer that was not understood, for a minute, and after each
 * further one for twice as long, at most a day. Something on the way may damage bytes that are no text, or drop the header that says what
 * they are.
 */
final class ProtobufPause {

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesClient.class);

    private static final long SHORTEST = Duration.ofMinutes(1).toMillis();
    private static final long LONGEST = Duration.ofDays(1).toMillis();

    private final Scheduler timer;
    private long length = SHORTEST;
    private long endsAt = Long.MIN_VALUE;

    ProtobufPause(Scheduler timer) {
        this.timer = timer;
    }

    long now() {
        return timer.now(TimeUnit.MILLISECONDS);
    }

    synchronized boolean isOver() {
        return now() >= endsAt;
    }

    /** Begins a pause, unless one has begun since the request. A day without one is a new start. */
    void begin(long requestedAt, KubernetesException failure) {
        long begun = begin(requestedAt);
        if (begun > 0) {
            LOG.warn("protocol buffers were refused or not understood; JSON is requested instead for {} min: {}",
                    TimeUnit.MILLISECONDS.toMinutes(begun), failure.getMessage());
        }
    }

    private synchronized long begin(long requestedAt) {
        if (requestedAt < endsAt) {
            return 0;
        }
        long now = now();
        length = endsAt == Long.MIN_VALUE || now - endsAt > LONGEST ? SHORTEST : Math.min(2 * length, LONGEST);
        endsAt = now + length;
        return length;
    }
}
