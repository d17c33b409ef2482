package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * The changes that one subscriber has yet to receive. Not thread-safe: its owner guards it.
 *
 * @param <E> the elements that are emitted
 */
interface Backlog<K, T, E> {

    /** Called first: the rows that the commits start from. */
    void begin(Snapshot<K, T> rows);

    /**
     * Adds a commit.
     *
     * @throws BacklogOverflowException if more would wait than the limit allows
     */
    void file(Commit<K, T> commit);

    /** Whether each commit must be filed by itself, instead of several conflated into one. */
    default boolean needsEachCommit() {
        return false;
    }

    /** All rows are to be emitted again. */
    void resync();

    /** Removes and returns the next element; null if there is none now. */
    @Nullable E next();

    /** How many changes the element {@code told} contains. */
    default int weight(E told) {
        return 1;
    }

    boolean isEmpty();

    /** How many changes wait. */
    int size();

    /** How many filed changes will not be emitted, because later ones replaced them. Negative if the elements are not changes. */
    long conflated();

    void clear();
}
