package io.reactiveinformer.apiserver.internal.server;

import io.netty.buffer.ByteBuf;
import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.internal.server.Breaks.ConnectionCut;
import io.reactiveinformer.internal.Interruption;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import org.reactivestreams.Subscription;
import reactor.core.CoreSubscriber;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Operators;
import reactor.core.publisher.Sinks;
import reactor.util.context.Context;

/**
 * A transport to the server without sockets, in the time and on the threads of the server's scheduler. Strictly fulfils the contract of
 * {@link Transport}.
 */
public final class MemoryTransport implements Transport {

    private final RequestHandler handler;
    private final Sinks.Empty<Void> disposed;

    /** A transport to this handler. */
    public MemoryTransport(RequestHandler handler) {
        this(handler, Sinks.empty());
    }

    private MemoryTransport(RequestHandler handler, Sinks.Empty<Void> disposed) {
        this.handler = handler;
        this.disposed = disposed;
    }

    /** Another transport to the same handler, which is disposed of with this one at the latest. */
    public MemoryTransport branch() {
        Sinks.Empty<Void> branch = Sinks.empty();
        Disposable link = disposed.asMono().subscribe(null, null, branch::tryEmitEmpty);
        branch.asMono().subscribe(null, null, link::dispose);
        return new MemoryTransport(handler, branch);
    }

    @Override
    public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        Mono<TransportException> end = disposed.asMono()
                .then(Mono.fromSupplier(() -> new TransportException(request + ": the transport was disposed", null)));
        return Interruption.by(
                end,
                Mono.defer(() -> handler.handle(ApiRequest.of(request)))
                        .onErrorMap(ConnectionCut.class, cut -> broken(request, cut))
                        .flatMapMany(answer ->
                                reader.apply(new Transport.Answer(answer.status(), answer.headers(), body(request, answer.body())))));
    }

    private static Flux<ByteBuf> body(HttpRequest request, Flux<ByteBuf> body) {
        return body.onErrorMap(ConnectionCut.class, cut -> broken(request, cut))
                .transform(Operators.<ByteBuf, ByteBuf>lift((scannable, actual) -> new Lending(actual)));
    }

    private static TransportException broken(HttpRequest request, ConnectionCut cut) {
        return new TransportException(request + ": the connection broke before the answer was complete", cut);
    }

    @Override
    public Mono<Void> dispose() {
        return Mono.fromRunnable(disposed::tryEmitEmpty);
    }

    /** Releases each buffer after {@code onNext}, so that a reader that keeps one fails. */
    private record Lending(CoreSubscriber<? super ByteBuf> actual) implements CoreSubscriber<ByteBuf> {

        @Override
        public void onSubscribe(Subscription subscription) {
            actual.onSubscribe(subscription);
        }

        @Override
        public void onNext(ByteBuf buffer) {
            try {
                actual.onNext(buffer);
            } finally {
                buffer.release();
            }
        }

        @Override
        public void onError(Throwable failure) {
            actual.onError(failure);
        }

        @Override
        public void onComplete() {
            actual.onComplete();
        }

        @Override
        public Context currentContext() {
            return actual.currentContext();
        }
    }
}
