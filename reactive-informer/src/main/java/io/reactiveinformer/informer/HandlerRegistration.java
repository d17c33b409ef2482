package io.reactiveinformer.informer;

import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/** A handler's place with an informer. Disposing of it ends its calls: none begins after that, one that has begun ends. */
public interface HandlerRegistration extends Disposable {

    /** Completes when the handler has been told of all that was there when it was added. */
    Mono<Void> synced();
}
