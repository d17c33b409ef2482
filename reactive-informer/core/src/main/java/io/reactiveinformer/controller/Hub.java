package io.reactiveinformer.controller;

import io.reactiveinformer.view.Delivery;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Tells any number of subscribers, each at its own pace: one that is slow keeps the latest {@code remembered} at most. Delivered on the
 * {@linkplain Delivery#statusThreads threads for statuses}, so whoever publishes waits for nobody.
 */
final class Hub<T> {

    private final int remembered;
    private final Set<FluxSink<T>> sinks = new LinkedHashSet<>(); // guarded by this; sinks only file what they get
    private @Nullable T first; // guarded by this: what a new subscriber is told
    private boolean over; // guarded by this

    Hub(int remembered) {
        this.remembered = remembered;
    }

    synchronized void publish(T next) {
        List.copyOf(sinks).forEach(sink -> tell(sink, next)); // one that is told where this runs may leave meanwhile
    }

    /** One that breaks the rules on the thread that tells ends alone. */
    private void tell(FluxSink<T> sink, T next) {
        try {
            sink.next(next);
        } catch (Throwable thrown) {
            sinks.remove(sink);
            Operators.onErrorDropped(thrown, Context.of(sink.contextView()));
        }
    }

    /** As {@link #publish}; who subscribes later is told this first. */
    synchronized void replace(T next) {
        first = next;
        publish(next);
    }

    synchronized void complete() {
        over = true;
        List<FluxSink<T>> last = List.copyOf(sinks); // completing a sink removes it
        last.forEach(FluxSink::complete);
    }

    Flux<T> flux() {
        return Flux.<T>create(this::add, FluxSink.OverflowStrategy.IGNORE)
                .onBackpressureBuffer(remembered, outdated -> {}, BufferOverflowStrategy.DROP_OLDEST)
                .publishOn(Delivery.statusThreads(), 1);
    }

    private synchronized void add(FluxSink<T> sink) {
        if (first != null) {
            sink.next(first);
        }
        if (over) {
            sink.complete();
            return;
        }
        sinks.add(sink);
        sink.onDispose(() -> remove(sink));
    }

    private synchronized void remove(FluxSink<T> sink) {
        sinks.remove(sink);
    }
}
