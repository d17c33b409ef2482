package io.reactiveinformer.reflector;

import io.reactiveinformer.internal.Interruption;
import io.reactiveinformer.internal.ListWaits;
import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Fails a stream that is silent for too long. As {@link Flux#timeout(Duration, Scheduler)}, but with one timer for all elements instead of
 * one for each.
 */
final class IdleTimeout {

    private IdleTimeout() {}

    /**
     * For {@code Flux.transform}: fails if nothing was emitted for {@code limit}, and cancels the source. A subscriber that requests
     * nothing for that long causes silence too, and the failure. The time in which a list waits for its place with the client does not
     * count.
     *
     * <pre>
     * source  ──a──b────────────
     * result  ──a──b── limit ──✕
     * </pre>
     *
     * @param limit may grow during the subscription; read on the timer too
     * @param timer measures {@code limit}; the failure is signalled on it
     * @param what is silent, for the message
     */
    static <E> Function<Flux<E>, Flux<E>> after(Supplier<Duration> limit, Scheduler timer, String what) {
        return source -> Flux.defer(() -> {
            var heardAt = new AtomicLong(timer.now(TimeUnit.NANOSECONDS));
            var waiting = new AtomicBoolean();
            Mono<Throwable> silence = Mono.defer(() -> Mono.delay(Duration.ofNanos(left(heardAt, waiting, limit, timer)), timer))
                    .repeat(() -> left(heardAt, waiting, limit, timer) > 0)
                    .then(Mono.fromSupplier(() -> new SilentException(what, limit.get())));
            Flux<E> timed = source.doOnNext(element -> heardAt.set(timer.now(TimeUnit.NANOSECONDS)));
            return Interruption.by(silence, ListWaits.reported(timed, waits -> {
                heardAt.set(timer.now(TimeUnit.NANOSECONDS));
                waiting.set(waits);
            }));
        });
    }

    private static long left(AtomicLong heardAt, AtomicBoolean waiting, Supplier<Duration> limit, Scheduler timer) {
        return limit.get().toNanos() - (waiting.get() ? 0 : timer.now(TimeUnit.NANOSECONDS) - heardAt.get());
    }

    /** Has no stack trace: what matters is which source was silent. */
    static final class SilentException extends RuntimeException {
        private static final long serialVersionUID = 1L;

        SilentException(String what, Duration limit) {
            super(what + ": the server was silent for " + limit.toSeconds() + " s; the connection is not trusted any more",
                    null, false, false);
        }

        TransportException explained() {
            return new TransportException(String.valueOf(getMessage()), null);
        }
    }
}
