package io.reactiveinformer.store;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import java.util.Collection;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The cache of one type. Deltas are applied one after the other; each snapshot is a consistent state of one instant. Methods that return a
 * {@link Commit} write, and calls of them must not overlap. All other methods read: any thread may call them, and they never wait. A write
 * that throws changes nothing and can be repeated.
 *
 * @param <T> the objects
 */
public interface Store<T> extends Known<T> {

    /** A store of all namespaces, which the server lists as one part. */
    static <T> Store<T> create() {
        return create(Namespaces.all());
    }

    /** A store of {@code namespaces}. It is complete when each part was listed. */
    static <T> Store<T> create(Namespaces namespaces) {
        return Managed.create(namespaces);
    }

    /**
     * Applies one delta, unless it is outdated: a delta at or below the version that its part or its object has reached changes nothing,
     * and the commit has no differences. When this returns, {@link #snapshot} shows the result. The caller must pass the deltas of one
     * object in the order of their versions, and {@link Delta#completeTo} must not cover a delta of the same part that follows later.
     */
    Commit<ObjectKey, T> apply(Delta<T> delta);

    /** Adds {@code index} and fills it: the returned snapshot and later ones have it. Adding it again has no effect. */
    Commit<ObjectKey, T> addIndex(Index<T, ?> index);

    /** The rows of the latest commit. Never waits; any thread may call it. */
    Snapshot<ObjectKey, T> snapshot();

    /** A lister over all rows, which reads the latest snapshot at each call. */
    Lister<T> lister();

    /**
     * The objects whose latest state could not be read, with the reasons; an older state of them is cached, or none. The same instance
     * while nothing changes.
     */
    @Override
    Map<ObjectKey, Known.Stale> stale();

    /** A store as an informer has it: restored after a restart, resized and narrowed while it runs. For informers of your own. */
    interface Managed<T> extends Store<T> {

        /** As {@link Store#create(Namespaces)}. */
        static <T> Managed<T> create(Namespaces namespaces) {
            return new TrieStore<>(namespaces);
        }

        /**
         * Restores the rows that an earlier process had cached of {@code part}, of which nothing is cached yet. Readers see them at once.
         * The part counts as complete when a {@link Delta.Progressed} says that nothing since then is missing, or when it is listed. A
         * change of an object does not make it complete: earlier changes may not have been received yet while the server still catches up.
         *
         * @param rows {@link Delta.Upserted} and {@link Delta.Unreadable}, of {@code part}
         * @param resourceVersion up to which they are complete
         * @throws IllegalStateException if something of the part has already been received
         */
        Commit<ObjectKey, T> restore(Namespaces part, Collection<? extends Delta<T>> rows, String resourceVersion);

        /**
         * Changes the namespaces to {@code namespaces}. Objects that it does not cover are removed, with
         * {@link io.reactiveinformer.delta.DeletionCause#LEFT}; new parts have yet to be listed.
         */
        Commit<ObjectKey, T> resize(Namespaces namespaces);

        /** Removes the objects for whose key {@code which} is false, with {@link io.reactiveinformer.delta.DeletionCause#LEFT}. */
        Commit<ObjectKey, T> retain(Predicate<? super ObjectKey> which);

        /**
         * Keeps the rows of {@code part}, but marks them as possibly incomplete: the store is complete again when the part is listed, or
         * when a {@link Delta.Progressed} says that nothing is missing. Has no effect if nothing of the part has been received.
         */
        Commit<ObjectKey, T> reopen(Namespaces part);

        /**
         * Counts {@code part} as complete although it was not listed, because the server refuses to list it: the store is complete when all
         * other parts are. Rows of the part stay, and it still has no resourceVersion. Has no effect once it was listed.
         */
        Commit<ObjectKey, T> excuse(Namespaces part);
    }
}
