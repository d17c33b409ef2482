package io.reactiveinformer.internal.derived;

import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Table;
import org.jspecify.annotations.Nullable;

/** Computes the rows of a view from those of its sources, and keeps what it needs for that. Used by one thread at a time. */
public interface Derivation<K, R> {

    /** Processes the changes received since the last call; null if there are none. */
    @Nullable Commit<K, R> derive(Table<K, R> table);

    /** What is missing without which there are no rows, for the status; null if nothing is. */
    default @Nullable String awaits() {
        return null;
    }

    /** Guards the calls of user functions. */
    RowFunction functions();
}
