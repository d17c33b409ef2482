package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * The changes that one subscriber has not received yet. Not thread-safe: its owner guards it.
 *
 * @param <E> the elements that are emitted
 */
interface PendingChanges<K, T, E> {

    /** Called first, with the rows that the commits start from. */
    void begin(Snapshot<K, T> rows);

    /**
     * Adds a commit.
     *
     * @throws BacklogOverflowException if more changes would wait than the limit allows
     */
    void file(Commit<K, T> commit);

    /** Whether each commit must be filed by itself; if false, several may be conflated into one before. */
    default boolean needsEachCommit() {
        return false;
    }

    /** Marks all rows to be emitted again. */
    void resync();

    /** Removes and returns the next element; null if there is none now. */
    @Nullable E next();

    /** The number of changes in an emitted element. */
    default int weight(E change) {
        return 1;
    }

    boolean isEmpty();

    /** The number of changes that wait. */
    int size();

    /** The number of filed changes that are not emitted, because later ones replaced them. Negative if the elements are not changes. */
    long conflated();

    void clear();
}
