package io.reactiveinformer.sharding;

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
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import reactor.core.publisher.Flux;
import reactor.core.publisher.FluxSink;
import reactor.core.publisher.Mono;

/** Rows that are counted up, emitted to all members at once. */
final class Rows implements View<ObjectKey, Integer> {

    private final Map<ObjectKey, Integer> rows = new TreeMap<>();
    private final List<FluxSink<Change<ObjectKey, Integer>>> sinks = new ArrayList<>();

    private boolean hidden;

    Rows(int count) {
        for (int i = 0; i < count; i++) {
            rows.put(ObjectKey.of("prod", "row-" + i), 0);
        }
    }

    /** There is no first complete state. */
    void hide() {
        hidden = true;
    }

    Map<ObjectKey, Integer> all() {
        return rows;
    }

    int get(ObjectKey key) {
        return rows.get(key);
    }

    void change(ObjectKey key) {
        int before = rows.get(key);
        rows.put(key, before + 1);
        List.copyOf(sinks).forEach(sink -> sink.next(new Change.Updated<>(key, row(before), row(before + 1))));
    }

    private static Versioned<Integer> row(int value) {
        return new Versioned<>(null, null, value);
    }

    @Override
    public Flux<Change<ObjectKey, Integer>> changes(Delivery delivery) {
        return Flux.create(sink -> {
            rows.forEach((key, value) -> sink.next(new Change.Added<>(key, row(value), true)));
            if (!hidden) {
                sink.next(new Change.Synced<>(null, rows.size()));
            }
            sinks.add(sink);
            sink.onDispose(() -> sinks.remove(sink));
        });
    }

    @Override
    public Snapshot<ObjectKey, Integer> snapshot() {
        Table<ObjectKey, Integer> table = Table.create();
        rows.forEach((key, value) -> table.put(key, row(value), DeletionCause.OBSERVED));
        return table.commit(true).snapshot();
    }

    @Override
    public Mono<Void> synced() {
        return Mono.empty();
    }

    @Override
    public Flux<InformerStatus> status() {
        return Flux.never();
    }
}
