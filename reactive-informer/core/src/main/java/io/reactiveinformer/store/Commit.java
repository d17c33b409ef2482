package io.reactiveinformer.store;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One step of a store: what readers see from now on, and in what it differs from what they saw before.
 *
 * @param differences at most one a key
 * @param batch whether the differences are those between two looks at all rows, as a list of the server gives them, and not what happened by itself
 */
public record Commit<K, T>(Snapshot<K, T> snapshot, List<Difference<K, T>> differences, boolean batch) {

    /** What differs in one row happened; what differs in several is taken for a batch. */
    public Commit(Snapshot<K, T> snapshot, List<Difference<K, T>> differences) {
        this(snapshot, differences, differences.size() != 1);
    }

    /** This, made by what is, or is not, a batch. */
    public Commit<K, T> batch(boolean isBatch) {
        return new Commit<>(snapshot, differences, isBatch);
    }

    /**
     * How one row differs.
     *
     * @param before null if there was none
     * @param after null if there is none any more
     * @param cause why what was before is no longer there: where there is nothing any more, or another object by its uid; else null
     * @param deletedAt version of that deletion, where the server told it
     */
    public record Difference<K, T>(
            K key,
            @Nullable Versioned<T> before,
            @Nullable Versioned<T> after,
            @Nullable DeletionCause cause,
            @Nullable String deletedAt) {

        /** This, and {@code next} after it, as one difference. How the first object ended is told, not what became of those after it. */
        public Difference<K, T> then(Difference<K, T> next) {
            if (before == null || next.after != null && !before.recreatedAs(next.after)) {
                return new Difference<>(key, before, next.after, null, null);
            }
            Difference<K, T> end = after != null && !before.recreatedAs(after) ? next : this;
            return new Difference<>(key, before, next.after, end.cause, end.deletedAt);
        }

        /** This, for someone who knows the row as {@code known}, equal to {@link #before}; null for who knows it as this does. */
        public Difference<K, T> from(@Nullable Versioned<T> known) {
            return known == null ? this : new Difference<>(key, known, after, cause, deletedAt);
        }

        /** Whether this ends where it began: in the same state of the same object, told again. {@code equals} decides only in the same version, and of what was computed. */
        public boolean isNothing() {
            return endsAt(before);
        }

        /** As {@link #isNothing}, for someone who knows the row as {@code known}. */
        public boolean endsAt(@Nullable Versioned<T> known) {
            return known == null ? after == null : after != null && same(known, after);
        }

        /** Whether this is from one state of an object to another, by its uid. */
        public boolean isOfOneObject() {
            return before != null && after != null && before.uid() != null && before.uid().equals(after.uid());
        }

        private static boolean same(Versioned<?> one, Versioned<?> other) {
            return one.sameButObject(other) && Equality.holds(one.object(), other.object());
        }
    }

    public Commit {
        differences = List.copyOf(differences);
    }
}
