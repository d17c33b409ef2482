package io.reactiveinformer.leader;

import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Sinks;

/**
 * One subscription to a source for all who use it, from the first to the last; a late one gets the latest value at once. As {@code replay(1).refCount()},
 * but that counts who cancels while it subscribes for ever, and lets go of the source before the last user has ended.
 */
final class Shared<T> {

    private final Flux<T> source;
    private @Nullable Running<T> present; // guarded by this, as are the counts in it

    Shared(Flux<T> source) {
        this.source = source;
    }

    /** The values, made into something. When that is cancelled or fails, it ends first, and then this user is gone. */
    <R> Flux<R> use(Function<Flux<T>, Flux<R>> way) {
        return Flux.using(this::join, running -> way.apply(running.values.asFlux()), this::leave);
    }

    private Running<T> join() {
        Running<T> joined;
        synchronized (this) {
            joined = present == null ? new Running<>() : present;
            present = joined;
            if (joined.users++ > 0) {
                return joined;
            }
        }
        Running<T> begun = joined;
        begun.subscription.update(source.subscribe(
                begun.values::tryEmitNext,
                failure -> {
                    forget(begun);
                    begun.values.tryEmitError(failure);
                },
                () -> {
                    forget(begun);
                    begun.values.tryEmitComplete();
                }));
        return begun;
    }

    private void leave(Running<T> left) {
        synchronized (this) {
            if (--left.users > 0) {
                return;
            }
            forget(left);
        }
        left.subscription.dispose();
    }

    private synchronized void forget(Running<T> ended) {
        if (present == ended) {
            present = null;
        }
    }

    private static final class Running<T> {
        final Sinks.Many<T> values = Sinks.many().replay().latest();
        final Disposable.Swap subscription = Disposables.swap();
        int users;
    }
}
