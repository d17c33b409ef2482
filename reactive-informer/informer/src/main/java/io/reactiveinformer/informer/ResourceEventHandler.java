package io.reactiveinformer.informer;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Change;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;

/**
 * Is notified of changes by method calls, as in client-go; {@link Informer#changes} emits the same changes as a stream. Calls of one
 * registration never overlap, and run on a worker of its own. Changes during a call are conflated: the next calls have the newest state of
 * each object, and skip the states in between, unless the registration has {@link io.reactiveinformer.view.Delivery#every}. Objects are
 * shared and must not be changed.
 *
 * <p>Do not block on the shared threads (see {@code Delivery.scheduler()}). A subscriber or handler that blocks there receives no more
 * changes until it returns. The other subscribers on its thread wait for up to a second, then continue on {@code
 * Schedulers.boundedElastic()} while that has free threads. To block, choose a scheduler that allows it: {@code
 * Delivery.conflated().on(Schedulers.boundedElastic())}. The cache and its connections never wait for a subscriber, unless its scheduler
 * runs tasks on the calling thread, as {@code Schedulers.immediate()} does.
 *
 * @param <T> the objects
 */
public interface ResourceEventHandler<T> {

    /**
     * An object was cached when the handler was added, or was added to the cache since. Does nothing by default.
     *
     * @param object the object
     *
     * @param isInInitialList whether the object was cached when the handler was added
     */
    default void onAdd(T object, boolean isInInitialList) {}

    /**
     * An object has changed, or is delivered again in a resync. Does nothing by default.
     *
     * @param before the state in the last call for this object; in a resync the same as {@code after}
     * @param after the new state
     */
    default void onUpdate(T before, T after) {}

    /**
     * An object was deleted from the cache: it no longer exists, or the informer no longer selects it. Does nothing by default.
     *
     * @param last the last known state
     * @param finalStateUnknown whether the deletion was inferred from a list, so that {@code last} may be outdated
     */
    default void onDelete(T last, boolean finalStateUnknown) {}

    /**
     * One of the other methods threw {@code failure} for {@code change}. The handler continues with the next change, even if this method
     * throws too. Logs the failure by default.
     */
    default void onFailure(Change<ObjectKey, T> change, Throwable failure) {
        LoggerFactory.getLogger(ResourceEventHandler.class).error("handler {} threw for {}", getClass().getName(), key(change), failure);
    }

    private static Object key(Change<ObjectKey, ?> change) {
        return change.<Object>match(Change.Added::key, Change.Updated::key, Change.Deleted::key, synced -> "the end of the initial list");
    }

    /** The registration of a handler with an informer. After it is disposed of, no call begins; a running call is not interrupted. */
    interface Registration extends Disposable {

        /**
         * Completes when the handler was called for each object of the initial list. Fails if the informer ends before, with
         * {@link NotSyncedException} if it was stopped; and with {@link java.util.concurrent.CancellationException} if the registration is
         * disposed of before.
         */
        Mono<Void> synced();
    }
}
