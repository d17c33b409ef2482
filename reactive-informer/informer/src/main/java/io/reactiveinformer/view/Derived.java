package io.reactiveinformer.view;

import io.reactiveinformer.internal.derived.Derivation;
import io.reactiveinformer.internal.derived.Groups;
import io.reactiveinformer.internal.derived.Join;
import io.reactiveinformer.internal.derived.MovingFilter;
import io.reactiveinformer.internal.derived.OneSource;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;

/**
 * What computes the rows of a derived view, and the inlets that receive the changes of its sources for it. Each method calls {@code wake}
 * when something has changed.
 *
 * @param decisive those of the inlets with which the view ends
 */
record Derived<K, R>(Derivation<K, R> derivation, List<Inlet<?, ?>> inlets, List<Inlet<?, ?>> decisive) {

    Derived(Derivation<K, R> derivation, List<Inlet<?, ?>> inlets) {
        this(derivation, inlets, inlets);
    }

    /** Whether no more rows will come. */
    boolean ended() {
        return decisive.stream().allMatch(Inlet::ended);
    }

    static <K, T> Derived<K, T> filter(Feed<K, T> feed, Predicate<? super T> predicate, Runnable wake) {
        var rows = new Inlet<>(feed, wake);
        return new Derived<>(OneSource.filter(rows, predicate), List.of(rows));
    }

    static <K, T> Derived<K, T> filter(Feed<K, T> feed, Flux<Predicate<? super T>> predicates, Runnable wake) {
        var rows = new Inlet<>(feed, wake);
        var latest = new Inlet<>(ValuesToCommits.feed(MovingFilter.PREDICATE, predicates, MovingFilter.Nothing::new), wake);
        return new Derived<>(new MovingFilter<>(rows, latest), List.of(latest, rows), List.of(rows)); // a predicate that is there comes before the end
    }

    static <K, T, R> Derived<K, R> map(Feed<K, T> feed, Function<? super T, ? extends R> function, Runnable wake) {
        var rows = new Inlet<>(feed, wake);
        return new Derived<>(OneSource.map(rows, function), List.of(rows));
    }

    static <K, T, R> Derived<K, R> mapNotNull(Feed<K, T> feed, Function<? super T, ? extends @Nullable R> function, Runnable wake) {
        var rows = new Inlet<>(feed, wake);
        return new Derived<>(OneSource.mapNotNull(rows, function), List.of(rows));
    }

    static <K, T, G> Derived<G, Snapshot<K, T>> groups(
            Feed<K, T> feed, Function<? super T, ? extends Optional<G>> groupOf, Runnable wake) {
        var rows = new Inlet<>(feed, wake);
        return new Derived<>(new Groups<>(rows, groupOf), List.of(rows));
    }

    static <K, T, L, U, R> Derived<K, R> join(
            Feed<K, T> left,
            Feed<L, U> right,
            Function<? super T, ? extends Collection<L>> references,
            BiFunction<? super T, ? super List<U>, ? extends R> combine,
            Runnable wake) {
        var rows = new Inlet<>(left, wake);
        var others = new Inlet<>(right, wake);
        return new Derived<>(new Join<>(rows, others, references, combine), List.of(rows, others));
    }

    /** Starts receiving changes; disposing of the result stops that. */
    Disposable attach() {
        Disposable.Composite attached = Disposables.composite();
        try {
            inlets.forEach(inlet -> attached.add(inlet.attach()));
            return attached;
        } catch (Throwable failure) { // of a view of the user, or a lack of memory or threads
            attached.dispose();
            throw failure;
        }
    }
}
