package io.reactiveinformer.controller;

import io.reactiveinformer.internal.informer.BlockingCalls;
import io.reactiveinformer.queue.Result;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/**
 * Brings the actual state to the desired state, for one key.
 *
 * @param <K> the keys that the controller works on
 */
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

    /**
     * A reconciler that may block: it calls other clients, or waits. Each call has a thread of its own: a virtual one where the JVM has
     * them (Java 21), so that ten thousand calls that wait take no platform thread each; otherwise one of {@code
     * Schedulers.boundedElastic()}. {@link ControllerBuilder#concurrency} limits the calls at a time. At the {@linkplain
     * ControllerBuilder#timeout timeout}, and when the controller stops, the thread is interrupted; the next call for the key begins when
     * this one has returned.
     */
    static <K> Reconciler<K> blocking(Blocking<K> work) {
        var calls = new BlockingCalls<K>();
        return request -> calls.call(request.key(), () -> work.reconcile(request));
    }

    /**
     * The work of {@link #blocking}.
     *
     * @param <K> the keys that the controller works on
     */
    @FunctionalInterface
    interface Blocking<K> {

        /** As {@link Reconciler#reconcile}, and may block. What it throws is {@link Result#failed}; null is {@link Result#done()}. */
        @Nullable Result reconcile(ReconcileRequest<K> request) throws Exception;
    }
}
