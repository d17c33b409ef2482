package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The changes that one subscriber has not received yet. Not thread-safe: its owner guards it.
 */
interface PendingChanges<K, T> {

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
    @Nullable Change<K, T> next();

    /** Removes and returns the elements that wait, at most {@code most}; null if there is none. */
    default @Nullable List<Change<K, T>> next(int most) {
        Change<K, T> first = next();
        if (first == null) {
            return null;
        }
        List<Change<K, T>> batch = new ArrayList<>(Math.min(size() + 1, most));
        for (Change<K, T> next = first; next != null; next = batch.size() < most ? next() : null) {
            batch.add(next);
        }
        return Collections.unmodifiableList(batch);
    }

    boolean isEmpty();

    /** The number of changes that wait. */
    int size();

    /** The number of filed changes that are not emitted, because later ones replaced them. */
    long conflated();

    void clear();
}
