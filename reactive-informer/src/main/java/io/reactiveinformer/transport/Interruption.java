package io.reactiveinformer.transport;

import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Ends an exchange from outside. */
final class Interruption {

    private Interruption() {}

    /**
     * {@code exchange} until {@code cause} has a value, which then is its failure. {@code takeUntilOther} alone would pass a failure on, but
     * cancel only for a value: the request would stay open.
     */
    static <R> Flux<R> by(Mono<? extends Throwable> cause, Flux<R> exchange) {
        return Flux.defer(() -> {
            var failure = new AtomicReference<@Nullable Throwable>();
            return exchange.takeUntilOther(cause.doOnNext(failure::set)).concatWith(Mono.defer(() -> {
                Throwable interrupted = failure.get();
                return interrupted == null ? Mono.empty() : Mono.error(interrupted);
            }));
        });
    }
}
