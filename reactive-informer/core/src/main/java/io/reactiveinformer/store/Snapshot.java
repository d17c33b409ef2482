package io.reactiveinformer.store;

import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * All rows at one instant. Never changes; reads never wait and copy nothing. Iteration is in the same order each time on the same snapshot,
 * an order that means nothing else. Objects are shared: read-only.
 *
 * @param <K> what names a row
 * @param <T> the row
 */
public interface Snapshot<K, T> {

    /** Grows with each change of the store; says nothing across stores. */
    long revision();

    /** Whether every part of the scope has been listed completely once. Before that, what is missing here proves nothing. */
    boolean complete();

    /**
     * The version up to which this is complete, where there is one scope part only; empty otherwise, and before the first list. Single rows may
     * be newer.
     */
    Optional<String> resourceVersion();

    /** The version up to which {@code part} is complete; empty before its first list. */
    Optional<String> resourceVersion(Scope part);

    int size();

    Optional<T> get(K key);

    /** The row with its uid and version; null where there is none. */
    @Nullable Versioned<T> find(K key);

    List<T> list();

    void forEach(BiConsumer<? super K, ? super Versioned<T>> action);

    /**
     * The rows for which {@code index} has {@code value}.
     *
     * @throws IllegalArgumentException if the index was not registered, or this snapshot is older than it
     */
    <V> List<T> by(Index<T, V> index, V value);

    /** Walks over the rows as they were, one by one; see {@link Cursor}. */
    Cursor<K, T> cursor();

    /**
     * As {@link #cursor()}, in a circle: the rows that come after {@code key}, or after where it would be, are first, then the others. Snapshots of the
     * same rows agree on what comes after a key, so that a walk over one can go on over a later one.
     */
    Cursor<K, T> cursorAfter(K key);

    /** A position in the walk over one snapshot. Not for several threads at once. */
    interface Cursor<K, T> {

        /** Moves on to the next row; false at the end. */
        boolean advance();

        /** The row moved to last. */
        K key();

        Versioned<T> row();

        /** Whether {@code key} belongs to this snapshot and the walk has not come to it yet. */
        boolean isAhead(K key);
    }
}
