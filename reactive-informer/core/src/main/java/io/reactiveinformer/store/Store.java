package io.reactiveinformer.store;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.InformerStatus;
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
        return create(namespaces, Index.Failures.logged());
    }

    /**
     * As {@link #create(Namespaces)}.
     *
     * @param failures is notified of index functions that throw
     */
    static <T> Store<T> create(Namespaces namespaces, Index.Failures failures) {
        return new TrieStore<>(namespaces, failures);
    }

    /**
     * Applies one delta, unless it is outdated: a delta at or below the version that its part or its object has reached changes nothing,
     * and the commit has no differences. When this returns, {@link #snapshot} shows the result. The caller must pass the deltas of one
     * object in the order of their versions, and {@link Delta#completeTo} must not cover a delta of the same part that follows later.
     */
    Commit<ObjectKey, T> apply(Delta<T> delta);

    /**
     * Restores the rows of {@code part} that an earlier process had cached. Readers see them at once. The part counts as complete when a
     * {@link Delta.Progressed} shows that all changes since then were received, or when it is listed. A change of an object does not make
     * it complete: earlier changes may be missing while the server still catches up.
     *
     * @param part a part of which nothing is cached
     * @param rows {@link Delta.Upserted} and {@link Delta.Unreadable}, of {@code part}
     * @param resourceVersion the version up to which the rows are complete
     * @throws IllegalStateException if something of the part was received already
     */
    Commit<ObjectKey, T> restore(Namespaces part, Collection<? extends Delta<T>> rows, String resourceVersion);

    /** Adds {@code index} and fills it: the returned snapshot and later ones have it. Adding it again has no effect. */
    Commit<ObjectKey, T> addIndex(Index<T, ?> index);

    /**
     * Changes the namespaces. Objects outside of {@code namespaces} are removed, with {@link io.reactiveinformer.delta.DeletionCause#LEFT}.
     * New parts are not complete before they are listed.
     */
    Commit<ObjectKey, T> resize(Namespaces namespaces);

    /** Removes the objects whose keys {@code which} rejects, with {@link io.reactiveinformer.delta.DeletionCause#LEFT}. */
    Commit<ObjectKey, T> retain(Predicate<? super ObjectKey> which);

    /**
     * Marks {@code part} as possibly incomplete, and keeps its rows. The store is complete again when the part is listed, or when a
     * {@link Delta.Progressed} shows that all changes were received. No effect if nothing of the part was received.
     */
    Commit<ObjectKey, T> reopen(Namespaces part);

    /** The rows of the latest commit. */
    Snapshot<ObjectKey, T> snapshot();

    /** A lister over all rows, which reads the latest snapshot at each call. */
    Lister<T> lister();

    /**
     * The objects whose latest state could not be read, with the reasons; an older state of them is cached, or none. The same instance
     * while nothing changes.
     */
    Map<ObjectKey, InformerStatus.Stale> stale();
}
