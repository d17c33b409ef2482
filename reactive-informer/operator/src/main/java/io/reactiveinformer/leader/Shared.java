package io.reactiveinformer.leader;

import java.time.Duration;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * Shares one subscription to a source: as long as there are users of its values, or, if there never was one, as long as there are watchers.
 * A late subscriber gets the latest value at once. Not {@code replay(1).refCount()}: that counts a subscriber that cancels while it
 * subscribes forever, and cancels the source before the last user has ended.
 */
final class Shared<T> {

    /** How long to wait for another thread that emits to the watchers, which only queue values. */
    private static final Duration A_TURN = Duration.ofSeconds(1);

    private final Flux<T> source;
    private final T idle;
    private volatile Sinks.Many<T> states = Sinks.many().replay().latest();
    private volatile @Nullable Running<T> present; // written under this

    // Guarded by this.
    private int workers;
    private int watchers;
    private boolean worked;

    /** @param idle emitted to watchers when the subscription to the source is cancelled */
    Shared(Flux<T> source, T idle) {
        this.source = source;
        this.idle = idle;
    }

    /**
     * Transforms the values of one subscription to the source. When the result is cancelled or fails, it ends first, and then this user is
     * removed.
     */
    <R> Flux<R> use(Function<Flux<T>, Flux<R>> way) {
        return Flux.using(() -> join(true), running -> way.apply(running.values.asFlux()), joined -> leave(true));
    }

    /** All values, of successive subscriptions to the source. */
    Flux<T> watch() {
        return Flux.defer(() -> {
            Sinks.Many<T> mine = states;
            return Flux.using(() -> join(false), joined -> mine.asFlux(), joined -> leave(false));
        });
    }

    private Running<T> join(boolean works) {
        Running<T> joined;
        boolean begins;
        synchronized (this) {
            workers += works ? 1 : 0;
            watchers += works ? 0 : 1;
            worked |= works;
            Running<T> running = present;
            joined = running == null ? new Running<>() : running;
            begins = running == null && isWanted();
            if (begins) {
                present = joined;
            }
        }
        if (begins) {
            joined.subscription.update(source.subscribe(value -> tell(joined, value), failure -> fail(joined, failure),
                    () -> complete(joined)));
        }
        return joined;
    }

    private boolean isWanted() {
        return workers > 0 || !worked && watchers > 0;
    }

    private void leave(boolean works) {
        Running<T> unwanted;
        synchronized (this) {
            workers -= works ? 1 : 0;
            watchers -= works ? 0 : 1;
            if (isWanted() || present == null) {
                return;
            }
            unwanted = present;
            present = null;
        }
        unwanted.subscription.dispose();
        tellWatchers(idle);
    }

    private void tell(Running<T> by, T value) {
        by.values.tryEmitNext(value);
        if (present == by) {
            tellWatchers(value);
            if (present == null) {
                tellWatchers(idle); // idle may have been emitted before value
            }
        }
    }

    private void tellWatchers(T value) {
        states.emitNext(value, Sinks.EmitFailureHandler.busyLooping(A_TURN));
    }

    private void fail(Running<T> by, Throwable failure) {
        Sinks.Many<T> failed = states;
        states = Sinks.many().replay().latest(); // for later subscribers
        forget(by);
        by.values.tryEmitError(failure);
        failed.tryEmitError(failure);
    }

    private void complete(Running<T> by) {
        forget(by);
        by.values.tryEmitComplete();
        states.tryEmitComplete();
    }

    private synchronized void forget(Running<T> ended) {
        if (present == ended) {
            present = null;
        }
    }

    /** Completes all watchers. */
    void end() {
        states.tryEmitNext(idle);
        states.tryEmitComplete();
    }

    private static final class Running<T> {
        final Sinks.Many<T> values = Sinks.many().replay().latest();
        final Disposable.Swap subscription = Disposables.swap();
    }
}
