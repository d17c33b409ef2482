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
 * Tells each subscriber the latest status, then every later one. One that is slow keeps the latest {@value #REMEMBERED} at most; what is
 * older is outdated, and is dropped. Ends after {@link State#STOPPED}.
 */
final class StatusHub {

    /** Enough that a reader who is merely behind misses no retry; little enough to forget about one who has stopped reading. */
    private static final int REMEMBERED = 64;

    private final Set<FluxSink<InformerStatus>> sinks = new LinkedHashSet<>(); // guarded by this; sinks only file what they get
    private volatile InformerStatus current;

    StatusHub(InformerStatus first) {
        this.current = first;
    }

    InformerStatus current() {
        return current;
    }

    synchronized void publish(InformerStatus next) {
        current = next;
        List.copyOf(sinks).forEach(sink -> tell(sink, next)); // one that is told where this runs may leave meanwhile
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

    /** One that breaks the rules on the thread that tells ends alone: the informer and the others go on. */
    private void tell(FluxSink<InformerStatus> sink, InformerStatus next) {
        try {
            sink.next(next);
        } catch (RuntimeException | Error thrown) {
            sinks.remove(sink);
            Operators.onErrorDropped(thrown, Context.of(sink.contextView()));
        }
    }

    /** One that wants the present status only, as health does, waits for no lock: others may be told meanwhile, and take their time. */
    private void add(FluxSink<InformerStatus> sink) {
        InformerStatus first = current;
        sink.next(first);
        if (!sink.isCancelled()) {
            addAfter(first, sink);
        }
    }

    @SuppressWarnings("ReferenceEquality") // whether it is still that very one
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
