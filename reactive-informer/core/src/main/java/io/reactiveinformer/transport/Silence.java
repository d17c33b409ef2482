package io.reactiveinformer.transport;

import io.netty.buffer.ByteBuf;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * How long one exchange has waited for a byte from the other side. A connection may die without a word, and then nothing else ends the wait.
 * A reader that asks for no bytes is not waiting. One timer an exchange, set anew only when it goes off, however many bytes come.
 */
final class Silence {

    /** A time that no clock tells: where one begins that has no zero, nobody knows. */
    private static final long NOT_WAITING = Long.MIN_VALUE;

    private final long bodyLimit;
    private final Scheduler timer;
    private final Object lock = new Object();
    private long limit;
    private long demand;
    private long waitingSince;

    /**
     * @param headers how long an answer's headers are waited for
     * @param body how long the next byte of its body
     */
    Silence(Duration headers, Duration body, Scheduler timer) {
        this.limit = headers.toNanos();
        this.bodyLimit = body.toNanos();
        this.timer = timer;
        this.waitingSince = now();
    }

    /** The headers have come; bytes of the body are waited for as they are asked for. */
    void answered() {
        synchronized (lock) {
            limit = bodyLimit;
            waitingSince = NOT_WAITING;
        }
    }

    /** Hears what comes. */
    Flux<ByteBuf> listen(Flux<ByteBuf> body) {
        return body.doOnNext(bytes -> heard()).doOnRequest(this::asked).doOnTerminate(this::over);
    }

    /** The exchange, until it has been silent for too long. */
    <R> Flux<R> guard(Flux<R> exchange, Function<Duration, ? extends Throwable> failure) {
        Mono<? extends Throwable> alarm = Mono.defer(() -> Mono.delay(Duration.ofNanos(remaining()), timer))
                .repeat(() -> remaining() > 0)
                .then(Mono.fromSupplier(() -> failure.apply(limit())));
        return Interruption.by(alarm, exchange);
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

    private void heard() {
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

    /** Nanoseconds, because these a scheduler takes from a clock that nobody sets. */
    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }
}
