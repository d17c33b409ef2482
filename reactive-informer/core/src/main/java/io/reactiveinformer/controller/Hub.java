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
 * Emits values to any number of subscribers, each at its own pace: for a slow one at most the latest {@code remembered} are kept. Delivered
 * on the {@linkplain Delivery#statusThreads threads for statuses}, so the publisher waits for no subscriber.
 */
final class Hub<T> {

    private final int remembered;
    private final Set<FluxSink<T>> sinks = new LinkedHashSet<>(); // guarded by this; a sink only queues what it gets
    private @Nullable T first; // guarded by this: what a new subscriber gets first
    private boolean over; // guarded by this

    Hub(int remembered) {
        this.remembered = remembered;
    }

    synchronized void publish(T next) {
        List.copyOf(sinks).forEach(sink -> tell(sink, next)); // a copy: a subscriber notified on this thread may cancel meanwhile
    }

    /** A subscriber that throws on the publishing thread is removed; the others go on. */
    private void tell(FluxSink<T> sink, T next) {
        try {
            sink.next(next);
        } catch (Throwable thrown) {
            sinks.remove(sink);
            Operators.onErrorDropped(thrown, Context.of(sink.contextView()));
        }
    }

    /** As {@link #publish}; a later subscriber gets this value first. */
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
