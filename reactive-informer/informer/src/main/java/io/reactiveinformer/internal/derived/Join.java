package io.reactiveinformer.internal.derived;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Combines each row of one view with the rows of another view that it refers to. Both are read in their current state, so that no row is
 * made of older states once no changes are pending. A change in the other view affects exactly the rows that refer to the changed row.
 */
public final class Join<K, T, L, U, R> implements Derivation<K, R> {

    private final SourceChanges<K, T> left;
    private final SourceChanges<L, U> right;
    private final RowFunction guard = new RowFunction("join");
    private final Function<? super T, ? extends Collection<L>> references;
    private final BiFunction<? super T, ? super List<U>, ? extends R> combine;

    private final Map<K, List<L>> referencesOf = new HashMap<>();
    private final Map<L, Set<K>> referrers = new HashMap<>();
    private @Nullable Snapshot<K, T> leftRows;
    private @Nullable Snapshot<L, U> rightRows;

    /**
     * @param references the keys of right rows that a left row refers to
     * @param combine combines a left row with the right rows that it refers to
     */
    public Join(
            SourceChanges<K, T> left,
            SourceChanges<L, U> right,
            Function<? super T, ? extends Collection<L>> references,
            BiFunction<? super T, ? super List<U>, ? extends R> combine) {
        this.left = left;
        this.right = right;
        this.references = references;
        this.combine = combine;
    }

    @Override
    public RowFunction functions() {
        return guard;
    }

    @Override
    public @Nullable Commit<K, R> derive(Table<K, R> table) {
        if (leftRows == null && !(left.hasNews() && right.hasNews())) {
            return null; // changes taken now could not be processed, and would be lost
        }
        Commit<K, T> leftBatch = left.take();
        Commit<L, U> rightBatch = right.take();
        leftRows = leftBatch == null ? leftRows : leftBatch.snapshot();
        rightRows = rightBatch == null ? rightRows : rightBatch.snapshot();
        if (leftRows == null || rightRows == null || leftBatch == null && rightBatch == null) {
            return null;
        }
        for (var touched : touched(leftBatch, rightBatch).entrySet()) {
            derive(table, touched.getKey(), leftRows.find(touched.getKey()), touched.getValue(), rightRows);
        }
        return table.commit(leftRows.complete() && rightRows.complete());
    }

    /** The rows of the left view that have changed, and those that refer to a changed row of the right view. */
    private Map<K, Optional<Difference<K, T>>> touched(
            @Nullable Commit<K, T> leftBatch, @Nullable Commit<L, U> rightBatch) {
        Map<K, Optional<Difference<K, T>>> touched = new LinkedHashMap<>();
        if (leftBatch != null) {
            leftBatch.differences().forEach(difference -> touched.put(difference.key(), Optional.of(difference)));
        }
        if (rightBatch != null) {
            for (Difference<L, U> difference : rightBatch.differences()) {
                for (K key : referrers.getOrDefault(difference.key(), Set.of())) {
                    touched.putIfAbsent(key, Optional.empty());
                }
            }
        }
        return touched;
    }

    private void derive(
            Table<K, R> table, K key, @Nullable Versioned<T> row, Optional<Difference<K, T>> difference, Snapshot<L, U> others) {
        DeletionCause cause = difference.map(Difference::cause).orElse(DeletionCause.OBSERVED);
        String deletedAt = difference.map(Difference::deletedAt).orElse(null);
        if (row == null) {
            refer(key, List.of());
            guard.forget(key);
            table.remove(key, cause, deletedAt);
            return;
        }
        Versioned<R> held = table.find(key);
        boolean replaced = held != null && held.recreatedAs(row);
        Optional<Versioned<R>> derived = guard.call(key, () -> {
            if (difference.isPresent() || guard.failsOn(key)) { // the references may have failed
                refer(key, new ArrayList<>(references.apply(row.object())));
            }
            R combined = Objects.requireNonNull(combine.apply(row.object(), referredBy(key, others)), "the function returned null");
            boolean equal = held != null && !replaced && held.object().equals(combined);
            return equal ? held : new Versioned<>(row.uid(), null, combined);
        });
        if (derived.isPresent()) {
            table.put(key, derived.get(), cause);
        } else if (replaced) {
            table.remove(key, cause, deletedAt); // otherwise the last good row stays
        }
    }

    /** The number of references that are kept, in both directions. */
    public int remembered() {
        return referencesOf.size() + referencesOf.values().stream().mapToInt(List::size).sum()
                + referrers.size() + referrers.values().stream().mapToInt(Set::size).sum();
    }

    private List<U> referredBy(K key, Snapshot<L, U> others) {
        return referencesOf.getOrDefault(key, List.of()).stream().flatMap(other -> others.get(other).stream()).toList();
    }

    private void refer(K key, List<L> now) {
        List<L> before = now.isEmpty() ? referencesOf.remove(key) : referencesOf.put(key, now);
        for (L other : before == null ? List.<L>of() : before) {
            referrers.computeIfPresent(other, (same, keys) -> keys.remove(key) && keys.isEmpty() ? null : keys);
        }
        for (L other : now) {
            referrers.computeIfAbsent(other, same -> new LinkedHashSet<>()).add(key);
        }
    }
}
