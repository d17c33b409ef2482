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

/** A transport over Reactor Netty, with threads and connections of its own. */
final class SocketTransport implements Transport {

    /*
     * An exchange enters the current Connections, and leaves them when it ends:
     *
     *     exchange ──▶ current ──▶ Connections of one endpoint ──▶ pool, event loops
     *                                  exchanges: 0, 1, 2 … GONE
     *
     * Connections are never changed, only replaced. The old ones retire: they refuse new exchanges, and the last exchange that leaves
     * closes their pool. Three events cause that. (1) The endpoint changes, as certificates are renewed: connections of the old and the new
     * identity must not share a pool. (2) Answers do not come; the Connections notice it themselves. In both cases exchanges in progress go
     * on: a watch stays on its old connection until the server closes it. (3) Memory was short, or an event loop has died. Then the event
     * loops are replaced too, and "end" fails the exchanges in progress: their answers may have been lost, and nothing else would end the
     * wait for them.
     *
     * Entering and retiring need no lock. The counter goes from 0 to GONE in one step: an exchange is either counted before the pool is
     * closed, or sees GONE and takes the next Connections. A new instance is installed by compare-and-set. If another thread was faster, or
     * the transport was closed or its loops replaced in the meantime, the new instance retires at once, and the loop looks again.
     */

    private static final Logger LOG = LoggerFactory.getLogger(Transport.class);

    private final Mono<Endpoint> endpoint;
    private final TransportOptions options;
    private volatile LoopResources loops; // written under this
    private volatile int shortages = MemoryShortages.ended(); // when the loops were made; written under this
    private final AtomicReference<@Nullable Connections> current = new AtomicReference<>();
    /** Fails the exchanges on the current connections; replaced together with them. Written under this. */
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
        // Not daemons: a main that waits for an informer must stay alive. Not colocated: work that begins on one loop must not stay there.
        LoopResources loops = LoopResources.create("reactive-informer", LoopResources.DEFAULT_IO_SELECT_COUNT,
                options.threads(), false, false);
        // Starts one thread at once: the first request may come from another thread after main has returned, and no other thread would keep
        // the process alive.
        loops.onClient(Connections.NATIVE).execute(() -> {});
        return loops;
    }

    /**
     * Replaces threads and connections that may no longer work. An event loop ends when an Error was thrown in it, such as an
     * OutOfMemoryError, and then takes no more connections. After a shortage of memory, no earlier loop or pool is trusted: it may wait for
     * a task that was lost.
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
            LOG.warn("{}: all connections and their threads are replaced", reason);
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
        // An exchange that does not leave must not keep the threads.
        Mono<Void> connections = last == null ? Mono.empty() : last.dispose().timeout(Duration.ofSeconds(5), Mono.empty(), options.timer());
        return connections.then(loops.disposeLater(Duration.ZERO, Duration.ofSeconds(5)));
    }
}
