package io.reactiveinformer.internal.derived;

import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The changes of a source of a derived view that were not processed yet. */
public interface SourceChanges<K, T> {

    /** Takes the next changes; null if there are none. */
    @Nullable Batch<K, T> take();

    /** Whether {@link #take} has anything to return. */
    boolean hasNews();

    /** The current rows, and their differences from those of the batch before. */
    record Batch<K, T>(Snapshot<K, T> rows, List<Difference<K, T>> differences) {}
}
