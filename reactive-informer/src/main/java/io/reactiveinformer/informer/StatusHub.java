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

/**
 * Tells each subscriber the latest status, then every later one. One that is slow keeps the latest {@value #REMEMBERED} at most; what is
 * older is outdated, and is dropped. Delivered on the {@linkplain Delivery#sharedThreads shared threads}; ends after {@link State#STOPPED}.
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
        sinks.forEach(sink -> sink.next(next));
        if (next.state() == State.STOPPED) {
            List<FluxSink<InformerStatus>> last = List.copyOf(sinks); // completing a sink removes it
            last.forEach(FluxSink::complete);
        }
    }

    Flux<InformerStatus> statuses() {
        return Flux.create(this::add, FluxSink.OverflowStrategy.IGNORE)
                .onBackpressureBuffer(REMEMBERED, outdated -> {}, BufferOverflowStrategy.DROP_OLDEST)
                .publishOn(Delivery.sharedThreads(), 1);
    }

    private synchronized void add(FluxSink<InformerStatus> sink) {
        sink.next(current);
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
