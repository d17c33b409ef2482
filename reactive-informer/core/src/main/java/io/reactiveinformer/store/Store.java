package io.reactiveinformer.store;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import java.util.Collection;
import java.util.Map;
import java.util.function.Predicate;

/**
 * The cache of one type. Deltas are applied one after the other; every snapshot is a state that was complete at one instant. Reads never
 * wait, whoever writes; methods that return a {@link Commit} write, and must not overlap.
 */
public interface Store<T> extends Known<T> {

    /** Of everything, which is told as one part. */
    static <T> Store<T> create() {
        return create(Scope.all());
    }

    /** Of {@code scope}, whose every part must be listed before the store is complete. */
    static <T> Store<T> create(Scope scope) {
        return create(scope, IndexFailures.logged());
    }

    static <T> Store<T> create(Scope scope, IndexFailures failures) {
        return new TrieStore<>(scope, failures);
    }

    /**
     * Applies one delta, if it is news: what is at or below the version that its part or its object has reached already changes nothing.
     * When it returns, {@link #snapshot} shows the result. Deltas of one object come in the order of their versions, and none of them says that
     * it is complete to where another one of its part is yet to come.
     */
    Commit<ObjectKey, T> apply(Delta<T> delta);

    /**
     * Begins with what an earlier process held of {@code part}, of which nothing is held yet. Readers see it at once; it counts as complete when
     * a {@link Delta.Progressed} says that nothing since then is missing, or when it is listed. A change of an object says only that one thing
     * has happened since; others that happened before it may not have been told yet where the server has only begun to catch up.
     *
     * @param rows {@link Delta.Upserted} and {@link Delta.Unreadable}, of {@code part}
     * @param resourceVersion up to which they are complete
     * @throws IllegalStateException if something has been heard of the part
     */
    Commit<ObjectKey, T> restore(Scope part, Collection<? extends Delta<T>> rows, String resourceVersion);

    /** Registers {@code index} and fills it: snapshots from the returned one on have it. Adding it again does nothing. */
    Commit<ObjectKey, T> addIndex(Index<T, ?> index);

    /**
     * Is of {@code scope} from now on: objects that it does not cover leave, with {@link io.reactiveinformer.delta.DeletionCause#LEFT}; parts
     * that are new have yet to be listed.
     */
    Commit<ObjectKey, T> resize(Scope scope);

    /** Objects of which {@code which} does not say yes leave, with {@link io.reactiveinformer.delta.DeletionCause#LEFT}. */
    Commit<ObjectKey, T> retain(Predicate<? super ObjectKey> which);

    /** What is held of {@code part} stays, but may be only some of it: this is not complete until the part is listed again. */
    Commit<ObjectKey, T> reopen(Scope part);

    Snapshot<ObjectKey, T> snapshot();

    Lister<T> lister();

    /** The objects whose latest state could not be read, and why: an older one is held of them, or none. The same instance while it is so. */
    Map<ObjectKey, InformerStatus.Stale> stale();
}
