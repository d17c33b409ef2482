package io.reactiveinformer.internal;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Ends a stream from outside, as a transport that was disposed of ends its exchanges, and a timer ends a silent one. */
public final class Interruption {

    /** How late an answer may be after the time that was agreed with the server: the network's round trip, a busy server. */
    public static final Duration MARGIN = Duration.ofSeconds(30);

    private Interruption() {}

    /**
     * Emits {@code stream} until {@code cause} emits an exception: then cancels the stream and fails with that exception.
     * {@code takeUntilOther} alone would pass a failure on, but cancel only for a value: a request would stay open.
     *
     * @param cause subscribed to before each subscription to the stream; emits a value, or never terminates
     */
    public static <R> Flux<R> by(Mono<? extends Throwable> cause, Flux<R> stream) {
        return Flux.defer(() -> {
            var failure = new AtomicReference<@Nullable Throwable>();
            return stream.takeUntilOther(cause.doOnNext(failure::set)).concatWith(Mono.defer(() -> {
                Throwable interrupted = failure.get();
                return interrupted == null ? Mono.empty() : Mono.error(interrupted);
            }));
        });
    }
}
