package io.reactiveinformer.informer;

import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.InformerStatus.State;
import io.reactiveinformer.view.Delivery;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import reactor.core.publisher.BufferOverflowStrategy;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Operators;
import reactor.util.context.Context;

/**
 * Emits the latest status to each subscriber, then every later one. For a slow subscriber, at most the latest {@value #REMEMBERED} are
 * kept; older ones are outdated, and are dropped. Completes after {@link State#STOPPED}.
 */
final class StatusHub {

    /** Enough that a slow reader misses no retry; few enough for one that has stopped reading. */
    private static final int REMEMBERED = 64;

    private final Set<FluxSink<InformerStatus>> sinks = new LinkedHashSet<>(); // guarded by this; a sink only queues
    private volatile InformerStatus current;

    StatusHub(InformerStatus first) {
        this.current = first;
    }

    InformerStatus current() {
        return current;
    }

    synchronized void publish(InformerStatus next) {
        current = next;
        List.copyOf(sinks).forEach(sink -> tell(sink, next)); // a subscriber may cancel during this call
        if (next.state() == State.STOPPED) {
            List<FluxSink<InformerStatus>> last = List.copyOf(sinks); // completing a sink removes it
            last.forEach(FluxSink::complete);
        }
    }

    Flux<InformerStatus> statuses(Delivery delivery) {
        return Flux.create(this::add, FluxSink.OverflowStrategy.IGNORE)
                .onBackpressureBuffer(REMEMBERED, outdated -> {}, BufferOverflowStrategy.DROP_OLDEST)
                .publishOn(delivery.scheduler(), 1);
    }

    /** A subscriber that throws is removed; the informer and the other subscribers go on. */
    private void tell(FluxSink<InformerStatus> sink, InformerStatus next) {
        try {
            sink.next(next);
        } catch (RuntimeException | Error thrown) {
            sinks.remove(sink);
            Operators.onErrorDropped(thrown, Context.of(sink.contextView()));
        }
    }

    /** Emits the current status without the lock: a health check that needs only that does not wait for slow subscribers. */
    private void add(FluxSink<InformerStatus> sink) {
        InformerStatus first = current;
        sink.next(first);
        if (!sink.isCancelled()) {
            addAfter(first, sink);
        }
    }

    @SuppressWarnings("ReferenceEquality") // whether it is still the same instance
    private synchronized void addAfter(InformerStatus first, FluxSink<InformerStatus> sink) {
        if (current != first) {
            sink.next(current);
        }
        if (current.state() == State.STOPPED) {
            sink.complete();
            return;
        }
        sinks.add(sink);
        sink.onDispose(() -> remove(sink));
    }

    private synchronized void remove(FluxSink<InformerStatus> sink) {
        sinks.remove(sink);
    }
}
