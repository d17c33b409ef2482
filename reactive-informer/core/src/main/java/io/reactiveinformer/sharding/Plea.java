package io.reactiveinformer.sharding;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.StatusException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/** A server's wish to be left alone for a while, also by the member that comes after the one who was told. */
final class Plea {

    /** A group must not be lost to a server that asks for a day. */
    private static final Duration LONGEST = Duration.ofMinutes(1);

    private final Scheduler clock;
    private volatile long until;
    private volatile boolean heard;

    Plea(Scheduler clock) {
        this.clock = clock;
    }

    void hear(KubernetesException failure) {
        Duration asked = failure instanceof StatusException refusal ? refusal.retryAfter().orElse(Duration.ZERO) : Duration.ZERO;
        if (!asked.isZero()) {
            until = now() + (asked.compareTo(LONGEST) < 0 ? asked : LONGEST).toNanos();
            heard = true;
        }
    }

    /** {@code time}, or as long as was asked for, if that is more. */
    Duration atLeast(Duration time) {
        long left = heard ? until - now() : 0;
        return left > time.toNanos() ? Duration.ofNanos(left) : time;
    }

    private long now() {
        return clock.now(TimeUnit.NANOSECONDS);
    }
}
