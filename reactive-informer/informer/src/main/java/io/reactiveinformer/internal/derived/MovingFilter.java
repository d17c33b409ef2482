package io.reactiveinformer.internal.derived;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rows that match a predicate, which changes: then all rows are tested. While there is no predicate there are no rows. A row for which
 * the predicate throws is left out: what a predicate shows may be a matter of permission.
 */
public final class MovingFilter<K, T> implements Derivation<K, T> {

    /** The only key of the table with the predicate. */
    public static final String PREDICATE = "predicate";

    private final SourceChanges<K, T> changes;
    private final SourceChanges<String, Predicate<? super T>> predicates;
    private final RowFunction guard = new RowFunction("filter", "is left out");
    private @Nullable Predicate<? super T> predicate;
    private @Nullable Snapshot<K, T> rows;

    /** Matches nothing, because there was no predicate due to {@code cause}. */
    public record Nothing(Throwable cause) implements Predicate<Object> {

        @Override
        public boolean test(Object row) {
            return false;
        }
    }

    /** @param predicates the latest predicate, with the key {@link #PREDICATE} */
    public MovingFilter(SourceChanges<K, T> changes, SourceChanges<String, Predicate<? super T>> predicates) {
        this.changes = changes;
        this.predicates = predicates;
    }

    @Override
    public RowFunction functions() {
        return guard;
    }

    @Override
    public @Nullable String awaits() {
        return predicate instanceof Nothing nothing ? "predicates for its rows again, after " + nothing.cause
                : predicate == null ? "a predicate for its rows" : null;
    }

    @Override
    public @Nullable Commit<K, T> derive(Table<K, T> table) {
        Commit<String, Predicate<? super T>> moved = predicates.take();
        Versioned<Predicate<? super T>> latest = moved == null ? null : moved.snapshot().find(PREDICATE);
        predicate = latest == null ? predicate : latest.object();
        if (predicate == null) {
            return null; // changes taken now could not be processed, and would be lost
        }
        Predicate<? super T> matches = predicate;
        Commit<K, T> batch = changes.take();
        rows = batch == null ? rows : batch.snapshot();
        if (rows == null || batch == null && latest == null) {
            return null;
        }
        if (batch != null) {
            batch.differences().forEach(difference -> derive(table, difference, matches));
        }
        if (latest != null) {
            rows.forEach((key, row) -> derive(table, new Difference<>(key, row, row, null, null), matches));
        }
        return matches instanceof Nothing ? table.commit(false) : table.commitAsOf(rows);
    }

    private void derive(Table<K, T> table, Difference<K, T> difference, Predicate<? super T> matches) {
        K key = difference.key();
        Versioned<T> row = difference.after();
        Versioned<T> held = table.find(key);
        DeletionCause cause = difference.cause() == null ? DeletionCause.OBSERVED : difference.cause();
        if (row == null) {
            guard.forget(key);
        }
        if (row != null && guard.call(key, () -> matches.test(row.object())).orElse(false)) {
            table.put(key, row, cause);
        } else if (row == null || held != null && held.recreatedAs(row)) {
            table.remove(key, cause, difference.deletedAt());
        } else {
            table.remove(key, DeletionCause.LEFT, null);
        }
    }
}
