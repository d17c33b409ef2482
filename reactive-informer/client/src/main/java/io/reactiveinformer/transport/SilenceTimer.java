package io.reactiveinformer.transport;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.internal.Interruption;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * Measures how long one exchange has waited for a byte from the peer. A connection may die without a signal, and then nothing else ends the
 * wait. A reader without demand is not waiting. One timer for each exchange, set again only when it fires, however many bytes arrive.
 */
final class SilenceTimer {

    /** A time that no clock returns; the origin of a nanosecond clock is arbitrary, so 0 would not do. */
    private static final long NOT_WAITING = Long.MIN_VALUE;

    private final long bodyLimit;
    private final Scheduler timer;
    private final Object lock = new Object();
    private long limit;
    private long demand;
    private long waitingSince;

    /**
     * @param headers how long to wait for an answer's headers
     * @param body how long to wait for the next byte of its body
     */
    SilenceTimer(Duration headers, Duration body, Scheduler timer) {
        this.limit = headers.toNanos();
        this.bodyLimit = body.toNanos();
        this.timer = timer;
        this.waitingSince = now();
    }

    /** The headers have arrived; from here on the wait for the body is measured while there is demand. */
    void answered() {
        synchronized (lock) {
            limit = bodyLimit;
            waitingSince = NOT_WAITING;
        }
    }

    /** Passes {@code body} on, and records its bytes, demand and end. */
    Flux<ByteBuf> listen(Flux<ByteBuf> body) {
        return body.doOnNext(bytes -> received()).doOnRequest(this::asked).doOnTerminate(this::over);
    }

    /**
     * Passes {@code exchange} on. If {@code lost} emits, cancels it and fails with that exception; after too long a silence, with
     * {@code failure} of the limit.
     */
    <R> Flux<R> guard(Flux<R> exchange, Mono<Throwable> lost, Function<Duration, ? extends Throwable> failure) {
        Mono<Throwable> alarm = Mono.defer(() -> Mono.delay(Duration.ofNanos(remaining()), timer))
                .repeat(() -> remaining() > 0)
                .then(Mono.fromSupplier(() -> failure.apply(limit())));
        return Interruption.by(Mono.firstWithSignal(lost, alarm), exchange);
    }

    private Duration limit() {
        synchronized (lock) {
            return Duration.ofNanos(limit);
        }
    }

    private long remaining() {
        synchronized (lock) {
            return waitingSince == NOT_WAITING ? limit : limit - (now() - waitingSince);
        }
    }

    private void received() {
        synchronized (lock) {
            demand = demand == Long.MAX_VALUE ? demand : demand - 1;
            waitingSince = demand == 0 ? NOT_WAITING : now();
        }
    }

    private void asked(long requested) {
        synchronized (lock) {
            demand = Operators.addCap(demand, requested);
            waitingSince = now();
        }
    }

    private void over() {
        synchronized (lock) {
            waitingSince = NOT_WAITING;
        }
    }

    /** In nanoseconds, since schedulers take these from a monotonic clock. */
    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }
}
