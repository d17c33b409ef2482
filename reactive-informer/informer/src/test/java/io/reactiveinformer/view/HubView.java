package io.reactiveinformer.view;

import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.util.function.Supplier;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/** Rows that a test writes, as a view. */
public record HubView<K, T>(Supplier<Snapshot<K, T>> rows, ChangeHub<K, T> hub) implements ChangeHub.Fed<K, T> {

    static View<String, String> of(Rows rows) {
        return new HubView<>(rows::snapshot, rows.hub);
    }

    @Override
    public Snapshot<K, T> snapshot() {
        return rows.get();
    }

    @Override
    public Flux<Change<K, T>> changes(Delivery delivery) {
        return hub.changes(delivery);
    }

    @Override
    public Mono<Void> synced() {
        return Mono.empty();
    }

    @Override
    public Flux<InformerStatus> status() {
        return Flux.never();
    }

    @Override
    public Feed<K, T> feed() {
        return hub.feed();
    }
}
