package io.reactiveinformer.sharding;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.StatusException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/** The latest Retry-After of the server; outlives the member that received it. */
final class RetryAfterGate {

    /** The longest wait: a Retry-After of a day must not stop the group. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Scheduler clock;
    private volatile long until;
    private volatile boolean received;

    RetryAfterGate(Scheduler clock) {
        this.clock = clock;
    }

    void hear(KubernetesException failure) {
        Duration asked = failure instanceof StatusException refusal ? refusal.retryAfter().orElse(Duration.ZERO) : Duration.ZERO;
        if (!asked.isZero()) {
            until = now() + (asked.compareTo(LONGEST) < 0 ? asked : LONGEST).toNanos();
            received = true;
        }
    }

    /** {@code time}, or the rest of the Retry-After if that is longer. */
    Duration atLeast(Duration time) {
        long left = received ? until - now() : 0;
        return left > time.toNanos() ? Duration.ofNanos(left) : time;
    }

    private long now() {
        return clock.now(TimeUnit.NANOSECONDS);
    }
}
