package io.reactiveinformer.informer;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Change;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Is notified of changes by method calls, as in client-go; {@link Informer#changes} is the same as a stream. Calls of one registration
 * never overlap, and come on a worker of its own. Changes that come during a call are conflated: the next calls bring the newest state of
 * each object, not each state between, unless the delivery keeps every one. Objects are shared: read-only.
 *
 * <p>Do not block on the shared threads (see {@code Delivery.scheduler()}). A subscriber or handler that blocks there receives nothing
 * until it returns, and the others on its thread wait for up to a second, then go on on {@code Schedulers.boundedElastic()} while that has
 * free threads. To block, ask for a scheduler that allows it: {@code Delivery.on(Schedulers.boundedElastic())}. The cache and its
 * connections wait for no subscriber, unless its scheduler runs tasks on the calling thread, as {@code Schedulers.immediate()} does.
 */
public interface ResourceEventHandler<T> {

    /**
     * An object is there: it was cached when the handler was added, or has been created since, or has come into the namespaces. Does
     * nothing by default.
     *
     * @param isInInitialList whether the object was cached when the handler was added
     */
    default void onAdd(T object, boolean isInInitialList) {}

    /**
     * An object has changed, or is delivered again in a resync. Does nothing by default.
     *
     * @param before the state in the latest call for this object; in a resync the same as {@code after}
     */
    default void onUpdate(T before, T after) {}

    /**
     * An object was deleted, or has left what the informer caches. Does nothing by default.
     *
     * @param last the last known state
     * @param finalStateUnknown whether the deletion was noticed only by its absence from a list, so that {@code last} may be stale
     */
    default void onDelete(T last, boolean finalStateUnknown) {}

    /**
     * One of the methods above threw {@code failure}. The handler goes on with the next change, even if this throws too. Logs the failure
     * by default.
     */
    default void onFailure(Change<ObjectKey, T> change, Throwable failure) {
        LoggerFactory.getLogger(ResourceEventHandler.class).error("{} threw at {}", getClass().getName(), key(change), failure);
    }

    private static Object key(Change<ObjectKey, ?> change) {
        return change.<Object>match(Change.Added::key, Change.Updated::key, Change.Deleted::key, synced -> "the end of the initial list");
    }

    /** The registration of a handler with an informer. Disposing of it ends the calls: none begins after that; one that has begun ends. */
    interface Registration extends Disposable {

        /**
         * Completes when the handler has been called for all that was cached when it was added. Fails if the informer ends first, with
         * {@link NotSyncedException} if it was stopped; and with {@link java.util.concurrent.CancellationException} if this is disposed of
         * first.
         */
        Mono<Void> synced();
    }
}
