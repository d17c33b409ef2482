package io.reactiveinformer.store;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a store: the rows that readers see from now on, and their differences from the rows before. Immutable.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 * @param snapshot the rows after this step
 * @param differences at most one for each key; copied
 * @param batch whether the differences result from comparing two states of all rows, as after a list, and not from a single event
 */
public record Commit<K, T>(Snapshot<K, T> snapshot, List<Difference<K, T>> differences, boolean batch) {

    /** As the canonical constructor, with {@code batch} derived: one difference counts as a single event, any other number as a batch. */
    public Commit(Snapshot<K, T> snapshot, List<Difference<K, T>> differences) {
        this(snapshot, differences, differences.size() != 1);
    }

    /** A copy with this {@link #batch}. */
    public Commit<K, T> batch(boolean isBatch) {
        return new Commit<>(snapshot, differences, isBatch);
    }

    /**
     * The difference of one row.
     *
     * @param key the key of the row
     *
     * @param before the row before; null if it did not exist
     * @param after the row after; null if it no longer exists
     * @param cause why the object in {@code before} counts as deleted; null unless the row no longer exists, or has another uid
     * @param deletedAt the resourceVersion of that deletion; null if the server did not send it
     */
    public record Difference<K, T>(
            K key,
            @Nullable Versioned<T> before,
            @Nullable Versioned<T> after,
            @Nullable DeletionCause cause,
            @Nullable String deletedAt) {

        /**
         * Conflates this difference with {@code next}, which follows it. Cause and version of a deletion are those of the first object, not
         * of later ones.
         */
        public Difference<K, T> then(Difference<K, T> next) {
            if (before == null || next.after != null && !before.recreatedAs(next.after)) {
                return new Difference<>(key, before, next.after, null, null);
            }
            Difference<K, T> end = after != null && !before.recreatedAs(after) ? next : this;
            return new Difference<>(key, before, next.after, end.cause, end.deletedAt);
        }

        /** Rebases this onto {@code known}, an equal instance of {@link #before}; returns this if {@code known} is null. */
        public Difference<K, T> from(@Nullable Versioned<T> known) {
            return known == null ? this : new Difference<>(key, known, after, cause, deletedAt);
        }

        /**
         * Whether {@link #after} is the same state of the same object as {@link #before}, received again. Calls {@code equals} of the
         * objects only if the versions are the same, or if the rows were computed.
         */
        public boolean isNothing() {
            return endsAt(before);
        }

        /** As {@link #isNothing}, with {@code known} in place of {@link #before}. */
        public boolean endsAt(@Nullable Versioned<T> known) {
            return known == null ? after == null : after != null && same(known, after);
        }

        private static boolean same(Versioned<?> one, Versioned<?> other) {
            return one.sameButObject(other) && Equality.holds(one.object(), other.object());
        }
    }

    /** Keeps an immutable copy of {@code differences}. */
    public Commit {
        differences = List.copyOf(differences);
    }
}
