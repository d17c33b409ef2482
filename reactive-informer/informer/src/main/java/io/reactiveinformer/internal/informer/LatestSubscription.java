package io.reactiveinformer.internal.informer;

import java.util.ArrayDeque;
import java.util.Optional;
import java.util.Queue;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;
import reactor.util.function.Tuple2;
import reactor.util.function.Tuples;

/**
 * The latest values for one subscriber, emitted on a worker of its own: older ones are outdated, and are dropped. As
 * {@code onBackpressureLatest().publishOn(…)}, but whatever is thrown on the way ends in an error signal, never in silence. Any thread may
 * set values; the methods neither wait for the subscriber nor throw.
 */
public final class LatestSubscription<T> extends WorkerSubscription<T> {

    private final int kept;
    private final Queue<T> waiting; // guarded by itself; never grows, so that adding a value needs no memory
    private final Disposable.Swap source = Disposables.swap();

    private LatestSubscription(CoreSubscriber<? super T> actual, Scheduler.Worker worker, int kept) {
        super(actual, worker);
        this.kept = kept;
        this.waiting = new ArrayDeque<>(kept);
    }

    /**
     * For each subscriber, the values that {@code source} sets.
     *
     * @param kept how many values are kept for a slow subscriber
     * @param source called for each subscription; what it returns is disposed of when the subscription ends
     */
    public static <T> Flux<T> flux(int kept, Scheduler scheduler, Function<? super LatestSubscription<T>, ? extends Disposable> source) {
        return Flux.from(actual -> subscribe(Operators.toCoreSubscriber(actual), kept, scheduler, source));
    }

    /** The latest of {@code values}, emitted on a worker of {@code scheduler}. */
    public static <T> Flux<T> of(Flux<T> values, Scheduler scheduler) {
        return flux(1, scheduler, latest -> Contained.flux(values, latest::end)
                .subscribe(latest::set, latest::end, latest::complete, latest.currentContext()));
    }

    /**
     * The results of {@code function} for the latest values of two sources, once both have emitted; a result that equals the last one is
     * left out. Completes when both have completed, or when one completes without a value; fails when one fails.
     */
    public static <A, B, R> Flux<R> both(
            Flux<A> one, Flux<B> other, Scheduler scheduler, BiFunction<? super A, ? super B, ? extends R> function) {
        return combined(one, other, scheduler, function, pairs -> pairs);
    }

    /** As {@link #both}, but completes when {@code one} does. */
    public static <A, B, R> Flux<R> with(
            Flux<A> one, Flux<B> other, Scheduler scheduler, BiFunction<? super A, ? super B, ? extends R> function) {
        return combined(one.map(Optional::of).concatWithValues(Optional.empty()), other, scheduler,
                (first, second) -> function.apply(first.orElseThrow(), second), pairs -> pairs.takeWhile(pair -> pair.getT1().isPresent()));
    }

    /** Sources and function are contained: an Error that got past the combination would silence it. */
    private static <A, B, R> Flux<R> combined(Flux<A> one, Flux<B> other, Scheduler scheduler,
            BiFunction<? super A, ? super B, ? extends R> function, UnaryOperator<Flux<Tuple2<A, B>>> until) {
        return flux(1, scheduler, latest -> {
            Flux<Tuple2<A, B>> pairs =
                    Flux.combineLatest(Contained.flux(one, latest::end), Contained.flux(other, latest::end), Tuples::of);
            return until.apply(Contained.flux(pairs, latest::end))
                    .<R>map(pair -> function.apply(pair.getT1(), pair.getT2()))
                    .distinctUntilChanged()
                    .subscribe(latest::set, latest::end, latest::complete, latest.currentContext());
        });
    }

    private static <T> void subscribe(CoreSubscriber<? super T> actual, int kept, Scheduler scheduler,
            Function<? super LatestSubscription<T>, ? extends Disposable> source) {
        Scheduler.Worker worker = worker(scheduler, actual);
        if (worker == null) {
            return;
        }
        LatestSubscription<T> latest = new LatestSubscription<>(actual, worker, kept);
        latest.start(() -> latest.source.update(source.apply(latest))); // disposed of at once if this is over by now
    }

    /** Sets the latest value; has no effect after the end. */
    public void set(T value) {
        add(value);
        if (isDemanded()) {
            schedule();
        }
    }

    /** As {@link #set}, but it is emitted later: when the source has been called, or with a later value. */
    public void add(T value) {
        synchronized (waiting) {
            if (hasEnded() || isOver()) {
                return;
            }
            if (waiting.size() == kept) {
                waiting.remove();
            }
            waiting.add(value);
        }
    }

    /** Completes after the pending values; has no effect after the end. */
    public void complete() {
        endInOrder();
        schedule();
    }

    /** Fails at once; pending values are dropped. */
    public void end(Throwable cause) {
        fail(cause);
        schedule();
    }

    @Override
    protected @Nullable T poll() {
        synchronized (waiting) {
            return waiting.poll();
        }
    }

    @Override
    protected boolean isEmpty() {
        return size() == 0;
    }

    @Override
    protected int size() {
        synchronized (waiting) {
            return waiting.size();
        }
    }

    @Override
    protected void release() {
        source.dispose();
        synchronized (waiting) {
            waiting.clear();
        }
    }
}
