package io.reactiveinformer.store;

import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All rows at one instant. Immutable and thread-safe; reads never wait. Iteration over the same snapshot has the same order each time; the
 * order has no other meaning. Objects are shared: read-only.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 */
public interface Snapshot<K, T> {

    /** A number that grows with each new snapshot of a store. Revisions of different stores cannot be compared. */
    long revision();

    /** Whether every part has been listed completely. Before that, a row that is missing here may exist on the server. */
    boolean complete();

    /**
     * The resourceVersion up to which this is complete, if there is one part only; empty otherwise, and before the first list. Single
     * rows may be newer.
     */
    Optional<String> resourceVersion();

    /** The resourceVersion up to which {@code part} is complete; empty before its first list. */
    Optional<String> resourceVersion(Namespaces part);

    /** How many rows there are. */
    int size();

    /** The row of {@code key}; empty if there is none. */
    Optional<T> get(K key);

    /** The row of {@code key} with its uid and resourceVersion; null if there is none. */
    @Nullable Versioned<T> find(K key);

    /** All rows, as a new immutable list in the order of iteration. */
    List<T> list();

    /** Calls {@code action} for each row, in the order of iteration, on the calling thread. What it throws ends the iteration. */
    void forEach(BiConsumer<? super K, ? super Versioned<T>> action);

    /**
     * The rows for which {@code index} has {@code value}, as an immutable list in no particular order.
     *
     * @throws IllegalArgumentException if the index was not registered, or this snapshot is older than it
     */
    <V> List<T> by(Index<T, V> index, V value);

    /** A new cursor before the first row; see {@link Cursor}. */
    Cursor<K, T> cursor();

    /**
     * As {@link #cursor()}, in a circle: first the rows that come after {@code key}, or after its place if it is missing, then the others.
     * Snapshots of the same rows agree on the order of keys, so that a walk over one snapshot can continue over a later one.
     */
    Cursor<K, T> cursorAfter(K key);

    /** A position in a walk over one snapshot. Not thread-safe. */
    interface Cursor<K, T> {

        /** Moves to the next row; false at the end. */
        boolean advance();

        /** The key of the current row, which the last {@link #advance} moved to. To be called after {@code advance} returned true. */
        K key();

        /** The current row, with its uid and resourceVersion. To be called after {@link #advance} returned true. */
        Versioned<T> row();

        /** Whether this snapshot has {@code key}, and the walk has not reached it yet. */
        boolean isAhead(K key);
    }
}
