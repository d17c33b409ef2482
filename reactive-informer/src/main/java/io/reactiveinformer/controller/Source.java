package io.reactiveinformer.controller;

import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.View;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;

/** A view, and which keys its changes wake. */
final class Source<L, T, K> {

    private final String name;
    private final View<L, T> view;
    private final Route<? super L, ? super T, K> route;
    private final ChangeFilter<? super T> filter;

    Source(String name, View<L, T> view, Route<? super L, ? super T, K> route, ChangeFilter<? super T> filter) {
        this.name = name;
        this.view = view;
        this.route = route;
        this.filter = filter;
    }

    /** Who hears of what happens in a view. Calls come one after the other. */
    interface Ear<K> {

        void wake(K key, Cause cause);

        void synced();

        /** A route threw; that row was passed over. */
        void stumbled(Throwable failure);

        /** Nothing more will come. */
        void ended(@Nullable Throwable failure);
    }

    String name() {
        return name;
    }

    Disposable follow(Delivery delivery, Ear<K> ear) {
        return view.changes(delivery).subscribe(change -> tell(change, ear), ear::ended, () -> ear.ended(null));
    }

    private void tell(Change<L, T> change, Ear<K> ear) {
        change.<@Nullable Void>fold(
                added -> wake(added.initial() ? Cause.Kind.TOLD : Cause.Kind.ADDED, added.key(), added.object(), null, ear),
                updated -> {
                    boolean again = updated.before() == updated.after();
                    return again || passes(updated.before(), updated.after(), ear)
                            ? wake(again ? Cause.Kind.TOLD : Cause.Kind.UPDATED, updated.key(), updated.after(), updated.before(), ear)
                            : null;
                },
                deleted -> wake(Cause.Kind.DELETED, deleted.key(), deleted.last(), null, ear),
                synced -> {
                    ear.synced();
                    return null;
                });
    }

    private boolean passes(T before, T after, Ear<K> ear) {
        try {
            return filter.passes(before, after);
        } catch (RuntimeException | LinkageError broken) {
            ear.stumbled(broken);
            return true;
        }
    }

    private @Nullable Void wake(Cause.Kind kind, L row, T now, @Nullable T before, Ear<K> ear) {
        Set<K> keys = new LinkedHashSet<>();
        Consumer<T> add = state -> {
            try {
                keys.addAll(route.keys(row, state));
            } catch (RuntimeException | LinkageError broken) {
                ear.stumbled(broken);
            }
        };
        if (before != null && before != now) {
            add.accept(before);
        }
        add.accept(now);
        Cause cause = new Cause(kind, name, String.valueOf(row));
        keys.forEach(key -> ear.wake(key, cause));
        return null;
    }

    /** Wakes the keys of all rows that there are. */
    void tellAll(Ear<K> ear) {
        view.snapshot().forEach((row, state) -> wake(Cause.Kind.TOLD, row, state.object(), null, ear));
    }
}
