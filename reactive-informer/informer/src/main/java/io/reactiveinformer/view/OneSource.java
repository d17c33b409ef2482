package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Commit.Difference;
import io.reactiveinformer.store.Table;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** Derives from each row of one view a row with the same key, or no row. */
final class OneSource<K, T, R> implements Derivation<K, R> {

    private final Feed<K, T> feed;
    private final Inlet<K, T> inlet;
    private final RowFunction guard;

    private final RowOf<T, R> rowOf;

    private interface RowOf<T, R> {
        /** The row derived from {@code source}, to replace the present row {@code held}; empty for no row. */
        Optional<Versioned<R>> apply(Versioned<T> source, @Nullable Versioned<R> held);
    }

    private OneSource(Feed<K, T> feed, Runnable wake, String kind, RowOf<T, R> rowOf) {
        this.feed = feed;
        this.inlet = new Inlet<>(wake);
        this.guard = new RowFunction(kind);
        this.rowOf = rowOf;
    }

    static <K, T> Derivation<K, T> filter(Feed<K, T> feed, Predicate<? super T> predicate, Runnable wake) {
        return new OneSource<K, T, T>(feed, wake, "filter", (source, held) ->
                predicate.test(source.object()) ? Optional.of(source) : Optional.empty());
    }

    static <K, T, R> Derivation<K, R> map(Feed<K, T> feed, Function<? super T, ? extends R> function, Runnable wake) {
        return mapNotNull(feed, row -> Objects.requireNonNull(function.apply(row), "the function returned null"), wake);
    }

    /** A result that equals the previous one is not emitted, unless it is of another object with the same name. */
    static <K, T, R> Derivation<K, R> mapNotNull(Feed<K, T> feed, Function<? super T, ? extends @Nullable R> function, Runnable wake) {
        return new OneSource<K, T, R>(feed, wake, "map", (source, held) -> {
            R mapped = function.apply(source.object());
            if (mapped == null) {
                return Optional.empty();
            }
            return Optional.of(
                    held != null && !held.recreatedAs(source) && held.object().equals(mapped) ? held : source.computed(mapped));
        });
    }

    @Override
    public Disposable attach() {
        return feed.attach(inlet);
    }

    @Override
    public RowFunction functions() {
        return guard;
    }

    @Override
    public List<Inlet<?, ?>> inlets() {
        return List.of(inlet);
    }

    @Override
    public @Nullable Commit<K, R> derive(Table<K, R> table) {
        Inlet.Batch<K, T> batch = inlet.take();
        if (batch == null) {
            return null;
        }
        batch.differences().forEach(difference -> derive(table, difference));
        return table.commitAsOf(batch.rows());
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
