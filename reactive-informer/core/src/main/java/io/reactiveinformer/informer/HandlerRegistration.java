package io.reactiveinformer.informer;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** The registration of a handler with an informer. Disposing of it ends the calls: none begins after that; one that has begun ends. */
public interface HandlerRegistration extends Disposable {

    /**
     * Completes when the handler has been called for all that was cached when it was added. Fails if the informer ends first, with
     * {@link NotSyncedException} if it was stopped; and with {@link java.util.concurrent.CancellationException} if this is disposed of
     * first.
     */
    Mono<Void> synced();
}
