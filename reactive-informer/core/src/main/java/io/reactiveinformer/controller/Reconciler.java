package io.reactiveinformer.controller;

import io.reactiveinformer.queue.Result;
import reactor.core.publisher.Mono;

/** Brings the actual state to the desired state, for one key. */
@FunctionalInterface
public interface Reconciler<K> {

    /**
     * Compares the desired state with the actual one and makes the missing changes. Read the <em>current</em> state from caches: the causes
     * of the request do not show it, as any number of changes are conflated into one request. The object of the key may be deleted.
     *
     * <p>Called and subscribed to on a worker that must not be blocked. Cancelled after the {@linkplain ControllerBuilder#timeout timeout},
     * and when the controller stops; the work must end then. An empty {@code Mono} is {@link Result#done()}; one that fails, and a call
     * that throws, is {@link Result#failed}.
     */
    Mono<Result> reconcile(ReconcileRequest<K> request);
}
