package io.reactiveinformer.store;

import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All rows at one instant. Immutable and thread-safe; reads never wait. Each iteration over one snapshot has the same order, which has no
 * other meaning. Objects are shared and must not be changed.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 */
public interface Snapshot<K, T> {

    /** A number that grows with each new snapshot of a store. Revisions of different stores cannot be compared. */
    long revision();

    /**
     * Whether each part was listed completely. Before that, an object that is missing here may exist on the server. A part that the server
     * refuses counts as complete in an informer whose spec says so.
     */
    boolean complete();

    /**
     * The resourceVersion up to which this snapshot is complete. Empty before the first list, and if there are several parts. Single rows
     * may be newer.
     */
    Optional<String> resourceVersion();

    /** The resourceVersion up to which {@code part} is complete; empty before its first list. */
    Optional<String> resourceVersion(Namespaces part);

    /** The number of rows. */
    int size();

    /** The row with {@code key}; empty if there is none. */
    Optional<T> get(K key);

    /** The row with {@code key}, with its uid and resourceVersion; null if there is none. */
    @Nullable Versioned<T> find(K key);

    /** All rows, as a new immutable list in the order of iteration. */
    List<T> list();

    /**
     * Calls {@code action} for each row, in the order of iteration, on the calling thread. If it throws, the iteration ends and the
     * exception is thrown to the caller.
     */
    void forEach(BiConsumer<? super K, ? super Versioned<T>> action);

    /**
     * The rows for which {@code index} has {@code value}, as an immutable list in no particular order.
     *
     * @throws IllegalArgumentException if the index was not added, or was added after this snapshot was taken
     */
    <V> List<T> by(Index<T, V> index, V value);

    /** A new cursor before the first row; see {@link Cursor}. */
    Cursor<K, T> cursor();

    /**
     * As {@link #cursor()}, but in a circle: first the rows after {@code key}, or after its place if it is missing, then the others. All
     * snapshots of a store agree on the order of keys, so that a walk over one snapshot can continue over a later one.
     */
    Cursor<K, T> cursorAfter(K key);

    /** A position in a walk over one snapshot. Not thread-safe. */
    interface Cursor<K, T> {

        /** Moves to the next row; false at the end. */
        boolean advance();

        /** The key of the current row, to which the last {@link #advance} moved. Call it only after {@code advance} returned true. */
        K key();

        /** The current row, with its uid and resourceVersion. Call it only after {@link #advance} returned true. */
        Versioned<T> row();

        /** Whether the snapshot has {@code key}, and the walk has not reached it yet. */
        boolean isAhead(K key);
    }
}
