package io.reactiveinformer.transport;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.config.Cluster.Endpoint;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Carries requests to one server: over sockets in production, to a server in memory in tests. Any thread may call. */
public interface Transport {

    /**
     * A transport over sockets, with threads and connections of its own. Opens no connection before the first exchange, but starts a
     * non-daemon thread at once, which lives until {@link #dispose}.
     *
     * @param endpoint where to connect; subscribed to before each exchange, so that connections opened after a change of certificates use
     *     the new ones
     */
    static Transport overSockets(Mono<Endpoint> endpoint, TransportOptions options) {
        return new SocketTransport(endpoint, options);
    }

    /**
     * Sends {@code request} once for each subscription, and passes the answer, whatever its status, to {@code reader} as it arrives; emits
     * what {@code reader} returns.
     *
     * <p>The connection belongs to the exchange until the publisher that {@code reader} returned has terminated; cancelling closes the
     * request at once. An answer that was not read to its end closes the connection too. If there is no answer, or it breaks off, the
     * exchange fails with {@link io.reactiveinformer.resource.TransportException}. Signals arrive on one of the transport's own threads:
     * never block there.
     */
    <R> Flux<R> exchange(HttpRequest request, Function<Answer, ? extends Publisher<R>> reader);

    /**
     * Fails all exchanges in progress, then releases connections and threads; completes when that is done. Further subscriptions have no
     * effect.
     */
    Mono<Void> dispose();

    /**
     * Status and headers of an answer, and its body as it arrives.
     *
     * @param status the HTTP status
     * @param headers of the answer
     * @param body may be subscribed to once, and only while the exchange lasts; each buffer is valid during {@code onNext} only, so bytes
     *     that are kept must be copied. Borders between buffers have no meaning
     */
    record Answer(int status, Headers headers, Flux<ByteBuf> body) {}
}
