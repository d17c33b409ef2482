package io.reactiveinformer.controller;

import reactor.core.CoreSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.MonoOperator;
import reactor.core.publisher.Sinks;

/**
 * The work of a request, which signals when {@code subscribe} has returned: after a timeout, work that blocks inside {@code subscribe} is
 * still running. For one subscription.
 */
final class Begun<T> extends MonoOperator<T, T> {

    private final Sinks.Empty<Void> returned = Sinks.empty();
    private volatile boolean over;

    Begun(Mono<T> work) {
        super(work);
    }

    boolean hasReturned() {
        return over;
    }

    /** Completes when {@code subscribe} has returned, on the thread that subscribed. */
    Mono<Void> returned() {
        return returned.asMono();
    }

    @Override
    public void subscribe(CoreSubscriber<? super T> actual) {
        try {
            source.subscribe(actual);
        } finally {
            over = true;
            returned.tryEmitEmpty();
        }
    }
}
