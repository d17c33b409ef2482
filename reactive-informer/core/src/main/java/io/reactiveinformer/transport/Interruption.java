package io.reactiveinformer.transport;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Ends a stream from outside: what a {@link Transport} does to its exchanges when it is disposed, and an alarm to what is silent. */
public final class Interruption {

    private Interruption() {}

    /**
     * {@code stream} until {@code cause} has a value, which then is its failure; the stream is cancelled. {@code takeUntilOther} alone would pass a
     * failure on, but cancel only for a value: a request would stay open.
     *
     * @param cause subscribed to before each subscription to the stream; has a value, or never ends
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
