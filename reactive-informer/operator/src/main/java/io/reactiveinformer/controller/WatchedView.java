package io.reactiveinformer.controller;

import io.reactiveinformer.controller.ReconcileRequest.Cause;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.View;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** A view, and the route and filter that decide which keys its changes wake. */
record WatchedView<L, T, K>(
        String name, View<L, T> view, Route<? super L, ? super T, K> route, UpdateFilter<? super T> filter) {

    /** Receives what happens in a view. Calls are serialized. */
    interface Listener<K> {

        void wake(K key, Cause cause);

        void synced();

        /**
         * A route, a filter, a row or a key threw, or a key was null. A row whose route threw, and a key that cannot be
         * woken, are skipped; an update whose filter threw passes.
         */
        void stumbled(Throwable failure);

        /** No more calls follow; {@code failure} is null if the view completed. */
        void ended(@Nullable Throwable failure);
    }

    Disposable follow(Delivery delivery, Listener<K> listener) {
        return view.changes(delivery).subscribe(change -> tell(change, listener), listener::ended, () -> listener.ended(null));
    }

    private void tell(Change<L, T> change, Listener<K> listener) {
        change.accept(
                added -> wake(added.initial() ? Cause.Kind.PRESENT : Cause.Kind.ADDED, added.key(), added.object(), null, true, listener),
                updated -> {
                    boolean again = updated.before() == updated.after();
                    boolean passes = again || passes(updated.before(), updated.after(), listener);
                    wake(again ? Cause.Kind.PRESENT : Cause.Kind.UPDATED, updated.key(), updated.after(), updated.before(), passes,
                            listener);
                },
                deleted -> wake(Cause.Kind.DELETED, deleted.key(), deleted.last(), null, true, listener),
                synced -> listener.synced());
    }

    private boolean passes(T before, T after, Listener<K> listener) {
        return orElse(() -> filter.passes(before, after), () -> true, listener);
    }

    /** The answer of code of the user, or {@code otherwise} if it throws. */
    private static <R> R orElse(Supplier<R> answer, Supplier<R> otherwise, Listener<?> listener) {
        try {
            return answer.get();
        } catch (Throwable broken) { // also an Error: this row is skipped, and the subscription goes on
            listener.stumbled(broken);
            return otherwise.get();
        }
    }

    /**
     * @param passes if false, only those keys are woken that the row has begun or ceased to concern: for them the
     *     update is an addition or a deletion
     */
    private void wake(Cause.Kind kind, L row, T now, @Nullable T before, boolean passes, Listener<K> listener) {
        List<K> former = before == null || before == now ? List.of() : keys(row, before, listener);
        Cause cause = new Cause(kind, name, text(row, listener));
        for (K key : concerned(former, keys(row, now, listener), passes, listener)) {
            orElse(() -> { // the predicate of the responsibility may throw, and the key may be null
                listener.wake(key, cause);
                return true;
            }, () -> false, listener);
        }
    }

    /** Each key once; all of them, with duplicates, if equals or hashCode throws. */
    private Collection<K> concerned(List<K> former, List<K> present, boolean passes, Listener<K> listener) {
        return orElse(() -> {
            Set<K> keys = new LinkedHashSet<>(former);
            for (K key : new LinkedHashSet<>(present)) {
                if (!keys.add(key) && !passes) {
                    keys.remove(key);
                }
            }
            return keys;
        }, () -> Stream.concat(former.stream(), present.stream()).toList(), listener);
    }

    private String text(L row, Listener<K> listener) {
        return orElse(() -> String.valueOf(row), row.getClass()::getName, listener);
    }

    private List<K> keys(L row, T state, Listener<K> listener) {
        return orElse(() -> new ArrayList<>(route.keys(row, state)), List::of, listener);
    }

    /** Wakes the keys of all current rows. */
    void tellAll(Listener<K> listener) {
        view.snapshot().forEach((row, state) -> wake(Cause.Kind.PRESENT, row, state.object(), null, true, listener));
    }
}
