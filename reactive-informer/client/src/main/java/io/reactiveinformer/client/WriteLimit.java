package io.reactiveinformer.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * A token bucket, as client-go's: limits writes to a number a second in the long run, and to a burst after a pause, so that a controller in
 * a loop does not overload the server. A write that comes too early waits for its own place, in the order of arrival.
 */
final class WriteLimit {

    private final long interval;
    private final long burst;
    private final Scheduler timer;
    private long next = Long.MIN_VALUE; // guarded by this: the time of the next write's place
    private long last = Long.MIN_VALUE; // guarded by this

    /** @param perSecond 0 for no limit */
    WriteLimit(int perSecond, int burst, Scheduler timer) {
        this.interval = perSecond == 0 ? 0 : TimeUnit.SECONDS.toNanos(1) / perSecond;
        this.burst = burst;
        this.timer = timer;
    }

    /** Completes when the write may go out. */
    Mono<Void> admit() {
        return Mono.defer(() -> {
            long wait = interval == 0 ? 0 : reserve(timer.now(TimeUnit.NANOSECONDS));
            return wait <= 0 ? Mono.empty() : Mono.delay(Duration.ofNanos(wait), timer).then().doOnCancel(this::giveBack);
        });
    }

    /** Returns the place of a cancelled write, so that later ones need not wait for it. */
    private synchronized void giveBack() {
        next -= interval;
    }

    private synchronized long reserve(long now) {
        if (now < last) { // a clock that was set back would delay all writes
            next -= last - now;
        }
        last = now;
        long place = Math.max(next, now - (burst - 1) * interval);
        next = place + interval;
        return place - now;
    }
}
