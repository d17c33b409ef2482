package io.reactiveinformer.transport;

import io.reactiveinformer.config.Endpoint;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Carries requests to one server. Over sockets in production, straight into a server in memory in tests. */
public interface Transport {

    /**
     * Over sockets.
     *
     * @param endpoint where to connect; asked before each exchange, so that connections opened after certificates have changed use the new ones
     */
    static Transport overSockets(Mono<Endpoint> endpoint, TransportOptions options) {
        return new SocketTransport(endpoint, options);
    }

    /**
     * Sends {@code request} once for each subscription, and reads the answer by {@code reader} as it arrives, whatever its status.
     *
     * <p>The connection belongs to the exchange until what {@code reader} returned has ended; cancelling closes the request at once. An answer
     * that was not read to its end closes the connection too. No answer, and an answer that breaks off, fail with
     * {@link io.reactiveinformer.resource.TransportException}. Signals arrive on one of the transport's own threads: never block there.
     */
    <R> Flux<R> exchange(HttpRequest request, Function<HttpAnswer, ? extends Publisher<R>> reader);

    /** Ends what is under way, then releases connections and threads. Asking again is harmless. */
    Mono<Void> dispose();
}
