package io.reactiveinformer.informer;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** A handler's place with an informer. Disposing of it ends its calls: none begins after that, one that has begun ends. */
public interface HandlerRegistration extends Disposable {

    /**
     * Completes when the handler has been told of all that was there when it was added. Fails if the informer ends first, with
     * {@link NotSyncedException} if it was stopped; and with {@link java.util.concurrent.CancellationException} if this is disposed of first.
     */
    Mono<Void> synced();
}
