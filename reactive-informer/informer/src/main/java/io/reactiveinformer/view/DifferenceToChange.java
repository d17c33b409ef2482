package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit.Difference;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Turns a difference into changes for a subscriber that knows the row before it: one change, or a deletion and an addition if another
 * object has replaced the first.
 */
final class DifferenceToChange {

    private DifferenceToChange() {}

    /** The first change. {@code difference} has a row before, or after, or both. */
    static <K, T> Change<K, T> first(Difference<K, T> difference, boolean initial) {
        Versioned<T> before = difference.before();
        Versioned<T> after = difference.after();
        if (before == null) {
            return new Change.Added<>(difference.key(), Objects.requireNonNull(after), initial);
        }
        return after == null || before.recreatedAs(after)
                ? new Change.Deleted<>(
                        difference.key(),
                        before,
                        difference.cause() == null ? DeletionCause.OBSERVED : difference.cause(),
                        difference.deletedAt() == null ? before.resourceVersion() : difference.deletedAt())
                : new Change.Updated<>(difference.key(), before, after);
    }

    /** The remaining difference after the first change; null if there is none. */
    static <K, T> @Nullable Difference<K, T> rest(Difference<K, T> difference) {
        Versioned<T> before = difference.before();
        Versioned<T> after = difference.after();
        return before != null && after != null && before.recreatedAs(after)
                ? new Difference<>(difference.key(), null, after, null, null)
                : null;
    }

    /** Whether the object before does not exist any more: the row is removed, or is another object now. */
    static boolean isEnd(Difference<?, ?> difference) {
        return difference.before() != null && (difference.after() == null || difference.before().recreatedAs(difference.after()));
    }

    /** Whether one of {@code next} ends an object that {@code noted}, differences by key, begins: both together would leave it out. */
    static <K, T> boolean anyIsBrief(Map<K, Difference<K, T>> noted, List<Difference<K, T>> next) {
        for (Difference<K, T> one : next) {
            Difference<K, T> first = isEnd(one) && !noted.isEmpty() ? noted.get(one.key()) : null;
            if (first != null && first.after() != null && (first.before() == null || isEnd(first))) {
                return true;
            }
        }
        return false;
    }
}
