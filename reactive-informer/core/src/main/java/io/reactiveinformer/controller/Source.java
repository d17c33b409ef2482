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
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** A view, and the route and filter that decide which keys its changes wake. */
final class Source<L, T, K> {

    private final String name;
    private final View<L, T> view;
    private final Route<? super L, ? super T, K> route;
    private final UpdateFilter<? super T> filter;

    Source(String name, View<L, T> view, Route<? super L, ? super T, K> route, UpdateFilter<? super T> filter) {
        this.name = name;
        this.view = view;
        this.route = route;
        this.filter = filter;
    }

    /** Receives what happens in a view. Calls are serialized. */
    interface Ear<K> {

        void wake(K key, Cause cause);

        void synced();

        /**
         * A route, a filter, a row or a key threw, or a key was null. A row whose route threw, and a key that cannot be woken, are skipped;
         * an update whose filter threw passes.
         */
        void stumbled(Throwable failure);

        /** No more calls follow; {@code failure} is null if the view completed. */
        void ended(@Nullable Throwable failure);
    }

    String name() {
        return name;
    }

    Disposable follow(Delivery delivery, Ear<K> ear) {
        return view.changes(delivery).subscribe(change -> tell(change, ear), ear::ended, () -> ear.ended(null));
    }

    private void tell(Change<L, T> change, Ear<K> ear) {
        change.accept(
                added -> wake(added.initial() ? Cause.Kind.TOLD : Cause.Kind.ADDED, added.key(), added.object(), null, true, ear),
                updated -> {
                    boolean again = updated.before() == updated.after();
                    boolean passes = again || passes(updated.before(), updated.after(), ear);
                    wake(again ? Cause.Kind.TOLD : Cause.Kind.UPDATED, updated.key(), updated.after(), updated.before(), passes, ear);
                },
                deleted -> wake(Cause.Kind.DELETED, deleted.key(), deleted.last(), null, true, ear),
                synced -> ear.synced());
    }

    private boolean passes(T before, T after, Ear<K> ear) {
        try {
            return filter.passes(before, after);
        } catch (Throwable broken) {
            ear.stumbled(broken);
            return true;
        }
    }

    /**
     * @param passes if false, only those keys are woken that the row has begun or ceased to concern: for them the update is an addition or
     *     a deletion
     */
    private void wake(Cause.Kind kind, L row, T now, @Nullable T before, boolean passes, Ear<K> ear) {
        List<K> former = before == null || before == now ? List.of() : keys(row, before, ear);
        Cause cause = new Cause(kind, name, text(row, ear));
        for (K key : concerned(former, keys(row, now, ear), passes, ear)) {
            try {
                ear.wake(key, cause);
            } catch (Throwable broken) { // the predicate of the responsibility threw, or the key is null
                ear.stumbled(broken);
            }
        }
    }

    /** Each key once; all of them, with duplicates, if equals or hashCode throws. */
    private Collection<K> concerned(List<K> former, List<K> present, boolean passes, Ear<K> ear) {
        try {
            Set<K> keys = new LinkedHashSet<>(former);
            for (K key : new LinkedHashSet<>(present)) {
                if (!keys.add(key) && !passes) {
                    keys.remove(key);
                }
            }
            return keys;
        } catch (Throwable broken) {
            ear.stumbled(broken);
            List<K> all = new ArrayList<>(former);
            all.addAll(present);
            return all;
        }
    }

    private String text(L row, Ear<K> ear) {
        try {
            return String.valueOf(row);
        } catch (Throwable broken) {
            ear.stumbled(broken);
            return row.getClass().getName();
        }
    }

    private List<K> keys(L row, T state, Ear<K> ear) {
        try {
            return new ArrayList<>(route.keys(row, state));
        } catch (Throwable broken) {
            ear.stumbled(broken);
            return List.of();
        }
    }

    /** Wakes the keys of all current rows. */
    void tellAll(Ear<K> ear) {
        view.snapshot().forEach((row, state) -> wake(Cause.Kind.TOLD, row, state.object(), null, true, ear));
    }
}
