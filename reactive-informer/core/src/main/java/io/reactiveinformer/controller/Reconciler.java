package io.reactiveinformer.controller;

import io.reactiveinformer.queue.Result;
import reactor.core.publisher.Mono;

/** Brings the world to the state that is desired, for one key. */
@FunctionalInterface
public interface Reconciler<K> {

    /**
     * Looks at what is desired and what is there, and does what is missing. It is to read from caches what there is <em>now</em>: why it was called says little,
     * as any number of changes come as one request. The object of the key may be gone.
     *
     * <p>Called and subscribed to on a worker that must not be blocked. Cancelled when its time is over, and when the controller stops: it must end
     * then. An empty {@code Mono} is {@link Result#done()}; one that fails, and a call that throws, is {@link Result#failed}.
     */
    Mono<Result> reconcile(Request<K> request);
}
