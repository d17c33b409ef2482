package io.reactiveinformer.internal.informer;

import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.function.BiFunction;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Operators;
import reactor.core.scheduler.Scheduler;

/**
 * The latest values for one subscriber, emitted on a worker of its own: older ones are outdated, and are dropped. As
 * {@code onBackpressureLatest().publishOn(…)}, but whatever is thrown on the way ends in an error signal, never in silence. Any thread may
 * set values; the methods neither wait for the subscriber nor throw.
 */
public final class LatestSubscription<T> extends WorkerSubscription<T> {

    private final int kept;
    private final Queue<T> waiting; // guarded by itself; never grows, so that adding a value needs no memory
    private final Disposable.Swap source = Disposables.swap();
    private volatile boolean ended;
    private volatile @Nullable Throwable failure; // written before ended

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
        return flux(1, scheduler, latest -> latest.follow(values, latest::set, latest::complete));
    }

    /**
     * The results of {@code function} for the latest values of two sources, once both have emitted; a result that equals the last one is
     * left out. Completes when both have completed, fails when one fails.
     */
    public static <A, B, R> Flux<R> both(
            Flux<A> one, Flux<B> other, Scheduler scheduler, BiFunction<? super A, ? super B, ? extends R> function) {
        return flux(1, scheduler, latest -> {
            var both = new Both<A, B, R>(latest, function);
            return Disposables.composite(
                    latest.follow(one, both::first, both::complete),
                    latest.follow(other, both::second, both::complete));
        });
    }

    /** As {@link #both}, but completes when {@code one} does. */
    public static <A, B, R> Flux<R> with(
            Flux<A> one, Flux<B> other, Scheduler scheduler, BiFunction<? super A, ? super B, ? extends R> function) {
        return flux(1, scheduler, latest -> {
            var both = new Both<A, B, R>(latest, function);
            return Disposables.composite(latest.follow(other, both::second, () -> {}), latest.follow(one, both::first, latest::complete));
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

    private <V> Disposable follow(Flux<V> values, Consumer<V> value, Runnable complete) {
        return Contained.flux(values, this::end).subscribe(value, this::end, complete, currentContext());
    }

    /** Sets the latest value; has no effect after the end. */
    public void set(T value) {
        add(value);
        schedule();
    }

    /** As {@link #set}, but it is emitted after {@link #schedule}. */
    void add(T value) {
        synchronized (waiting) {
            if (ended || isOver()) {
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
        ended = true;
        schedule();
    }

    /** Fails at once; pending values are dropped. */
    public void end(Throwable cause) {
        fail(cause);
        schedule();
    }

    @Override
    protected void fail(Throwable cause) {
        if (failure == null) {
            failure = cause;
        }
        ended = true;
    }

    @Override
    protected @Nullable Throwable failure() {
        return failure;
    }

    @Override
    protected @Nullable T poll() {
        synchronized (waiting) {
            return waiting.poll();
        }
    }

    @Override
    protected boolean isExhausted() {
        return ended && (failure != null || size() == 0);
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

    /** The latest values of two sources. */
    private static final class Both<A, B, R> {

        private final LatestSubscription<R> results;
        private final BiFunction<? super A, ? super B, ? extends R> function;

        // Guarded by this.
        private @Nullable A first;
        private @Nullable B second;
        private @Nullable R last;
        private boolean half;

        Both(LatestSubscription<R> results, BiFunction<? super A, ? super B, ? extends R> function) {
            this.results = results;
            this.function = function;
        }

        void first(A value) {
            set(() -> first = value);
        }

        void second(B value) {
            set(() -> second = value);
        }

        private void set(Runnable change) {
            synchronized (this) {
                change.run();
                if (first == null || second == null) {
                    return;
                }
                R next = Objects.requireNonNull(function.apply(first, second), "the function returned null");
                if (next.equals(last)) {
                    return;
                }
                last = next;
                results.add(next);
            }
            results.schedule(); // without the lock: it may be emitted on this thread
        }

        void complete() {
            if (end()) {
                results.complete();
            }
        }

        /** Returns whether both have completed. */
        private synchronized boolean end() {
            boolean other = half;
            half = true;
            return other;
        }
    }
}
