package io.reactiveinformer.view;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import org.jspecify.annotations.Nullable;

/**
 * What one subscriber has yet to be told. Not thread-safe: whoever has one guards it.
 *
 * @param <E> what it is told
 */
interface Backlog<K, T, E> {

    /** First: the rows that commits start from. */
    void begin(Snapshot<K, T> rows);

    /** @throws BacklogOverflowException if this is more than it keeps */
    void file(Commit<K, T> commit);

    /** Whether each commit is to be filed as it was, instead of several conflated into one. */
    default boolean needsEachCommit() {
        return false;
    }

    /** Everything is to be told again. */
    void resync();

    /** The next thing to tell, which is then no longer kept; null if there is nothing now. */
    @Nullable E next();

    /** How many changes {@code told} is. */
    default int weight(E told) {
        return 1;
    }

    boolean isEmpty();

    /** How many things are kept. */
    int size();

    /** How many changes were filed that will not be told, as later ones say all. Less than zero where it is not changes that are told. */
    long conflated();

    void clear();
}
