package io.reactiveinformer.internal.warmstart;

import io.reactiveinformer.warmstart.WarmStartStorage;
import java.nio.ByteBuffer;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** A storage that saves nothing; marks a cold start. */
public record KeepsNothing() implements WarmStartStorage {

    @Override
    public Flux<ByteBuffer> load(String name) {
        return Flux.empty();
    }

    @Override
    public Mono<Void> save(String name, Flux<ByteBuffer> content) {
        return Mono.empty();
    }

    @Override
    public Mono<String> setAside(String name) {
        return Mono.empty();
    }
}
