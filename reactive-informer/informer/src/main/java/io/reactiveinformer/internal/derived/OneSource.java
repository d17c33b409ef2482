package io.reactiveinformer.internal.derived;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Table;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Derives from each row of one view a row with the same key, or no row. */
public final class OneSource<K, T, R> implements Derivation<K, R> {

    private final SourceChanges<K, T> changes;
    private final RowFunction guard;

    private final RowOf<T, R> rowOf;

    private interface RowOf<T, R> {
        /** The row derived from {@code source}, to replace the present row {@code held}; empty for no row. */
        Optional<Versioned<R>> apply(Versioned<T> source, @Nullable Versioned<R> held);
    }

    private OneSource(SourceChanges<K, T> changes, String kind, RowOf<T, R> rowOf) {
        this.changes = changes;
        this.guard = new RowFunction(kind);
        this.rowOf = rowOf;
    }

    /** The rows that match. */
    public static <K, T> Derivation<K, T> filter(SourceChanges<K, T> changes, Predicate<? super T> predicate) {
        return new OneSource<K, T, T>(changes, "filter", (source, held) ->
                predicate.test(source.object()) ? Optional.of(source) : Optional.empty());
    }

    /** The results of the function, which must not be null. */
    public static <K, T, R> Derivation<K, R> map(SourceChanges<K, T> changes, Function<? super T, ? extends R> function) {
        return mapNotNull(changes, row -> Objects.requireNonNull(function.apply(row), "the function returned null"));
    }

    /** A result that equals the previous one is not emitted, unless it is of another object with the same name. */
    public static <K, T, R> Derivation<K, R> mapNotNull(
            SourceChanges<K, T> changes, Function<? super T, ? extends @Nullable R> function) {
        return new OneSource<K, T, R>(changes, "map", (source, held) -> {
            R mapped = function.apply(source.object());
            if (mapped == null) {
                return Optional.empty();
            }
            return Optional.of(
                    held != null && !held.recreatedAs(source) && held.object().equals(mapped) ? held : source.computed(mapped));
        });
    }

    @Override
    public RowFunction functions() {
        return guard;
    }

    @Override
    public @Nullable Commit<K, R> derive(Table<K, R> table) {
        Commit<K, T> batch = changes.take();
        if (batch == null) {
            return null;
        }
        batch.differences().forEach(difference -> derive(table, difference));
        return table.commitAsOf(batch.snapshot());
    }

    private void derive(Table<K, R> table, Difference<K, T> difference) {
        K key = difference.key();
        Versioned<T> row = difference.after();
        if (row == null) {
            guard.forget(key);
            table.remove(key, causeOf(difference), difference.deletedAt());
            return;
        }
        Versioned<R> held = table.find(key);
        boolean gone = held != null && held.recreatedAs(row);
        Optional<Optional<Versioned<R>>> derived = guard.call(key, () -> rowOf.apply(row, held));
        if (derived.isPresent() && derived.get().isPresent()) {
            table.put(key, derived.get().get(), causeOf(difference));
        } else if (gone) {
            table.remove(key, causeOf(difference), difference.deletedAt());
        } else if (derived.isPresent()) {
            table.remove(key, DeletionCause.LEFT, null);
        } // otherwise the function failed: the last good row stays
    }

    private static DeletionCause causeOf(Difference<?, ?> difference) {
        return difference.cause() == null ? DeletionCause.OBSERVED : difference.cause();
    }
}
