package io.reactiveinformer.controller;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.store.Table;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.View;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/** A view that emits exactly what the test says, at once, on the test's thread. */
final class ScriptedView<T> implements View<ObjectKey, T> {

    private final Map<ObjectKey, T> rows = new LinkedHashMap<>();
    private final List<FluxSink<Change<ObjectKey, T>>> sinks = new ArrayList<>();
    private boolean synced;

    private static ObjectKey key(String key) {
        return ObjectKey.parse(key);
    }

    private static <T> Versioned<T> row(T object) {
        return new Versioned<>(null, null, object);
    }

    void put(String key, T object) {
        T before = rows.put(key(key), object);
        tell(before == null ? new Change.Added<>(key(key), row(object), !synced)
                : new Change.Updated<>(key(key), row(before), row(object)));
    }

    void resync(String key) {
        T object = rows.get(key(key));
        tell(new Change.Updated<>(key(key), row(object), row(object)));
    }

    void delete(String key) {
        delete(key, DeletionCause.OBSERVED);
    }

    void delete(String key, DeletionCause cause) {
        tell(new Change.Deleted<>(key(key), row(rows.remove(key(key))), cause, null));
    }

    void sync() {
        synced = true;
        tell(new Change.Synced<>(null, rows.size()));
    }

    void fail(Throwable failure) {
        List.copyOf(sinks).forEach(sink -> sink.error(failure));
    }

    int subscriptions() {
        return sinks.size();
    }

    private void tell(Change<ObjectKey, T> change) {
        sinks.forEach(sink -> sink.next(change));
    }

    @Override
    public Flux<Change<ObjectKey, T>> changes(Delivery delivery) {
        return Flux.create(sink -> {
            rows.forEach((key, object) -> sink.next(new Change.Added<>(key, row(object), true)));
            if (synced) {
                sink.next(new Change.Synced<>(null, rows.size()));
            }
            sinks.add(sink);
            sink.onDispose(() -> sinks.remove(sink));
        });
    }

    @Override
    public Snapshot<ObjectKey, T> snapshot() {
        Table<ObjectKey, T> table = Table.create();
        rows.forEach((key, object) -> table.put(key, row(object), DeletionCause.OBSERVED));
        return table.commit(synced).snapshot();
    }

    @Override
    public Mono<Void> synced() {
        return Mono.never();
    }

    @Override
    public Flux<InformerStatus> status() {
        return Flux.never();
    }
}
