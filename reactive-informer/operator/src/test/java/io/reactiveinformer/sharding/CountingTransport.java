package io.reactiveinformer.sharding;

import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Counts the bytes of what a server answers about config maps. */
record CountingTransport(Transport transport, AtomicLong bytes) implements Transport {

    CountingTransport(Transport transport) {
        this(transport, new AtomicLong());
    }

    @Override
    public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        return transport.exchange(request, answer -> reader.apply(request.uri().contains("/configmaps")
                ? new Transport.Answer(answer.status(), answer.headers(),
                        answer.body().doOnNext(buffer -> bytes.addAndGet(buffer.readableBytes())))
                : answer));
    }

    @Override
    public Mono<Void> dispose() {
        return transport.dispose();
    }
}
