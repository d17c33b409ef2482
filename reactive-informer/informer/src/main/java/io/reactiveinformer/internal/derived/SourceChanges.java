package io.reactiveinformer.internal.derived;

import io.reactiveinformer.store.Commit;
import org.jspecify.annotations.Nullable;

/** The changes of a source of a derived view that were not processed yet. */
public interface SourceChanges<K, T> {

    /** Takes the next changes, since the rows that were taken before; null if there are none. */
    @Nullable Commit<K, T> take();

    /** Whether {@link #take} has anything to return. */
    boolean hasNews();
}
