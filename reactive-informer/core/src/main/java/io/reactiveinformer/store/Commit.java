package io.reactiveinformer.store;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a store: the rows that readers see from now on, and their differences from the rows before.
 *
 * @param snapshot the rows after this step
 * @param differences at most one a key; copied
 * @param batch whether the differences were found by comparing two states of all rows, as a list of the server gives them, instead of
 *     single events
 */
public record Commit<K, T>(Snapshot<K, T> snapshot, List<Difference<K, T>> differences, boolean batch) {

    /** With {@code batch} derived: one difference is a single event, any other number is a batch. */
    public Commit(Snapshot<K, T> snapshot, List<Difference<K, T>> differences) {
        this(snapshot, differences, differences.size() != 1);
    }

    /** This commit with another value of {@code batch}. */
    public Commit<K, T> batch(boolean isBatch) {
        return new Commit<>(snapshot, differences, isBatch);
    }

    /**
     * How one row differs.
     *
     * @param before the row before; null if there was none
     * @param after the row after; null if there is none any more
     * @param cause how the object in {@code before} is known to be gone: set if there is no row any more, or one with another uid; else
     *     null
     * @param deletedAt the resourceVersion of that deletion; null if the server did not send it
     */
    public record Difference<K, T>(
            K key,
            @Nullable Versioned<T> before,
            @Nullable Versioned<T> after,
            @Nullable DeletionCause cause,
            @Nullable String deletedAt) {

        /**
         * This difference, then {@code next}, conflated. Cause and version of a deletion are those of the first object, not those of later
         * ones.
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
         * Whether this ends where it began: in the same state of the same object, received again. {@code equals} of the objects is asked
         * only if the versions are the same, or if the rows were computed.
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
