package io.reactiveinformer.informer;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.view.Change;
import org.slf4j.LoggerFactory;

/**
 * Is told of changes by method calls, as in client-go; {@link Informer#changes} is the same as a stream. Calls of one registration never
 * overlap, and come on a worker of its own: a slow handler delays nobody, but gets only the latest state of what it has not seen. Objects are
 * shared: read-only.
 */
public interface ResourceEventHandler<T> {

    /** @param isInInitialList whether the object was there when the handler was added */
    default void onAdd(T object, boolean isInInitialList) {}

    /** @param before what this handler was told last; in a resync the same as {@code after} */
    default void onUpdate(T before, T after) {}

    /** @param finalStateUnknown whether the deletion was noticed only by its absence from a list, so that {@code last} may be stale */
    default void onDelete(T last, boolean finalStateUnknown) {}

    /** One of the methods above threw. The handler goes on with the next change, whatever this does; it logs. */
    default void onFailure(Change<ObjectKey, T> change, Throwable failure) {
        LoggerFactory.getLogger(ResourceEventHandler.class).error("{} threw at {}", getClass().getName(), key(change), failure);
    }

    private static Object key(Change<ObjectKey, ?> change) {
        return change.<Object>fold(Change.Added::key, Change.Updated::key, Change.Deleted::key, synced -> "the end of the initial list");
    }
}
