package io.reactiveinformer.errors;

import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.Transport;
import java.util.function.Function;
import org.reactivestreams.Publisher;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A transport with a bomb in each signal. */
public record BombedTransport(Transport transport, Bomb bomb) implements Transport {

    @Override
    public <R> Flux<R> exchange(HttpRequest request, Function<Transport.Answer, ? extends Publisher<R>> reader) {
        bomb.at("request");
        return transport.<R>exchange(request, answer -> {
                    bomb.at("request.answer");
                    return reader.apply(answer);
                })
                .doOnSubscribe(subscription -> bomb.at("request.subscribe"))
                .doOnNext(part -> bomb.at("request.onNext"))
                .doOnError(failure -> bomb.at("request.onError"))
                .doOnComplete(() -> bomb.at("request.onComplete"));
    }

    @Override
    public Mono<Void> dispose() {
        return transport.dispose();
    }
}
