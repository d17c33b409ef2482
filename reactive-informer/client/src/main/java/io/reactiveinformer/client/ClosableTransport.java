package io.reactiveinformer.client;

import io.reactiveinformer.resource.ClientClosedException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Its disposal first ends the dependents of a client, the last registered first, and then closes the connections. Requests after that fail
 * with {@link ClientClosedException}.
 */
final class ClosableTransport implements Transport {

    /** The time that all dependents together have to end: enough to release a lease. After that, the connections close in any case. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    private static final Logger LOG = LoggerFactory.getLogger(KubernetesClient.class);

    private final Transport transport;
    private final Deque<Mono<Void>> ends = new ArrayDeque<>(); // guarded by itself
    private final Mono<Void> disposal;
    private volatile boolean closed;

    ClosableTransport(Transport transport, Scheduler timer) {
        this.transport = transport;
        this.disposal = Mono.defer(() -> ended(lastFirst(), timer))
                .then(Mono.defer(() -> {
                    closed = true;
                    return transport.dispose();
                }))
                .cache();
    }

    private static Mono<Void> ended(List<Mono<Void>> dependents, Scheduler timer) {
        if (dependents.isEmpty()) {
            return Mono.empty();
        }
        return Flux.fromIterable(dependents)
                .concatMap(end -> end.onErrorResume(failure -> {
                    LOG.warn("a dependent of the client failed while the client was closed: {}; closing goes on", failure.toString());
                    return Mono.empty();
                }))
                .then()
                .timeout(PATIENCE, Mono.empty(), timer);
    }

    /** @param end subscribed to when this is disposed of */
    Disposable beforeClose(Mono<Void> end) {
        Mono<Void> own = end.hide();
        synchronized (ends) {
            ends.push(own);
        }
        return Disposables.composite(() -> {
            synchronized (ends) {
                ends.remove(own);
            }
        });
    }

    private List<Mono<Void>> lastFirst() {
        synchronized (ends) {
            return List.copyOf(ends);
        }
    }

    @Override
    public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return Flux.defer(() -> closed ? Flux.error(new ClientClosedException()) : transport.exchange(request, reader))
                .onErrorMap(TransportException.class, failure -> closed ? new ClientClosedException() : failure);
    }

    @Override
    public String toString() {
        return transport + (closed ? ", closed" : "");
    }

    @Override
    public Mono<Void> dispose() {
        return disposal;
    }
}
