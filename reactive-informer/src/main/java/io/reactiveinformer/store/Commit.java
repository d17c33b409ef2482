package io.reactiveinformer.store;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a store: what readers see from now on, and in what it differs from what they saw before.
 *
 * @param differences at most one a key
 */
public record Commit<K, T>(Snapshot<K, T> snapshot, List<Difference<K, T>> differences) {

    /**
     * How one row differs.
     *
     * @param before null if there was none
     * @param after null if there is none any more
     * @param cause why there is none any more; also set where the row's object was replaced by another of another uid
     * @param deletedAt version of the deletion where the server told it
     */
    public record Difference<K, T>(
            K key,
            @Nullable Versioned<T> before,
            @Nullable Versioned<T> after,
            @Nullable DeletionCause cause,
            @Nullable String deletedAt) {}

    public Commit {
        differences = List.copyOf(differences);
    }
}
