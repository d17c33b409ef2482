package io.reactiveinformer.store;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.ObjectKey;

/**
 * The cache of one type. Deltas are applied one after the other; every snapshot is a state that was complete at one instant. Reads never
 * wait, whoever writes.
 */
public interface Store<T> extends Known<T> {

    /**
     * Applies one delta, if it is news: what is at or below the version that its part or its object has reached already changes nothing.
     * Calls must not overlap. When it returns, {@link #snapshot} shows the result.
     */
    Commit<ObjectKey, T> apply(Delta<T> delta);

    Snapshot<ObjectKey, T> snapshot();

    Lister<T> lister();
}
