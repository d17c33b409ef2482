package io.reactiveinformer.processor;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link RowProcessor} has to do for one row: bring it from the state that was finished last to the newest one. Objects are shared
 * and must not be changed. Immutable.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 * @param key the key of the row
 * @param before the state that this processor finished last; null if there is none, or if it is not known after a restart. For a row that
 *     is gone and of which no state was finished, the state that was begun last, as it may have taken effect
 * @param after the newest state; null if the row is gone, or another object of its name takes its place next
 * @param cause how it is known that the row is gone; null if it is there
 * @param retries how often the work on this row has failed in a row
 */
public record RowChange<K, T>(
        K key, @Nullable Versioned<T> before, @Nullable Versioned<T> after, @Nullable DeletionCause cause, int retries) {

    /** Whether the row is gone: what was written for it is to be deleted. */
    public boolean deleted() {
        return after == null;
    }

    /**
     * The newest state.
     *
     * @throws IllegalStateException if the row is gone
     */
    public T object() {
        if (after == null) {
            throw new IllegalStateException("the row " + key + " is gone: ask deleted() first");
        }
        return after.object();
    }
}
