package io.reactiveinformer.transport;

import io.netty.util.concurrent.EventExecutor;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.internal.Interruption;
import io.reactiveinformer.internal.MemoryShortages;
import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.netty.resources.LoopResources;

/**
 * A transport over Reactor Netty, with threads and connections of its own. Connections belong to an {@link Endpoint}: when it changes, new
 * exchanges use new connections, and the old ones are closed as their exchanges end.
 */
final class SocketTransport implements Transport {

    private static final Logger LOG = LoggerFactory.getLogger(Transport.class);

    private final Mono<Endpoint> endpoint;
    private final TransportOptions options;
    private volatile LoopResources loops; // written under this
    private volatile int shortages = MemoryShortages.ended(); // when the loops were made; written under this
    private final AtomicReference<@Nullable Connections> current = new AtomicReference<>();
    /** Fails the exchanges on the present connections; replaced together with them. Written under this. */
    private volatile Sinks.One<TransportException> end = Sinks.one();
    private final Mono<Void> disposal;
    private volatile boolean closing; // written under this

    SocketTransport(Mono<Endpoint> endpoint, TransportOptions options) {
        this.endpoint = endpoint;
        this.options = options;
        this.loops = loops(options);
        this.disposal = Mono.defer(this::release).cache();
    }

    @Override
    public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return Flux.defer(() -> {
            replaceWhatIsDead();
            return Interruption.by(end.asMono(), endpoint.flatMapMany(wanted -> Flux.using(
                    () -> enter(wanted), connections -> connections.exchange(request, reader), Connections::leave)));
        });
    }

    private static LoopResources loops(TransportOptions options) {
        // Not daemons: a main that waits for an informer must stay alive. Not colocated: work that begins on one loop shall not stay there.
        LoopResources loops = LoopResources.create("reactive-informer", LoopResources.DEFAULT_IO_SELECT_COUNT,
                options.threads(), false, false);
        // Starts one thread at once: the first request may come from another thread after main has returned, and no other thread would keep
        // the process alive.
        loops.onClient(Connections.NATIVE).execute(() -> {});
        return loops;
    }

    /**
     * An event loop in which an Error was thrown, as for lack of memory, ends, and takes no more connections. After a shortage of memory no
     * pool and no loop that was made before is trusted: it may wait for something that was lost. Then all are replaced.
     */
    private void replaceWhatIsDead() {
        LoopResources before = loops;
        if (shortages != MemoryShortages.ended()) {
            replace(before, "memory was short");
            return;
        }
        for (EventExecutor loop : before.onClient(Connections.NATIVE)) {
            if (loop.isShuttingDown()) {
                replace(before, "an event loop has ended, as an error was thrown in it");
                return;
            }
        }
    }

    private void replace(LoopResources dead, String reason) {
        Sinks.One<TransportException> lost;
        synchronized (this) {
            if (closing || loops != dead) {
                return;
            }
            int ended = MemoryShortages.ended();
            loops = loops(options);
            shortages = ended;
            LOG.warn("{}: connections are made anew", reason);
            Connections with = current.getAndSet(null);
            if (with != null) {
                with.retire();
            }
            lost = end;
            end = Sinks.one();
        }
        lost.tryEmitValue(new TransportException(reason + ", and the answer may have been lost with it", null));
        dead.disposeLater(Duration.ZERO, Duration.ofSeconds(5)).subscribe();
    }

    private Connections enter(Endpoint wanted) {
        while (true) {
            Connections now = current.get();
            if (now != null && now.endpoint().equals(wanted) && now.enter()) {
                return now;
            }
            if (closing) {
                throw closed();
            }
            LoopResources over = loops;
            var next = new Connections(wanted, options, over); // opens nothing yet
            boolean installed = current.compareAndSet(now, next);
            if (installed && now != null) {
                now.retire();
            }
            if (!installed || closing || loops != over) { // replaced meanwhile: these must not be used
                next.retire();
            }
        }
    }

    private static TransportException closed() {
        return new TransportException("the client was closed", null);
    }

    @Override
    public Mono<Void> dispose() {
        return disposal;
    }

    private Mono<Void> release() {
        synchronized (this) {
            closing = true;
        }
        end.tryEmitValue(closed());
        Connections last = current.get();
        Mono<Void> connections = last == null ? Mono.empty() : last.dispose();
        return connections.then(loops.disposeLater(Duration.ZERO, Duration.ofSeconds(5)));
    }
}
