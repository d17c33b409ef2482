package io.reactiveinformer.recordings;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.source.ListerWatcher;
import reactor.core.publisher.Flux;

/** Asks for no proof after a broken watch: what was recorded has no answer to that. */
record Unproven<T>(ListerWatcher<T> source) implements ListerWatcher<T> {

    @Override
    public String description() {
        return source.description();
    }

    @Override
    public Scope part() {
        return source.part();
    }

    @Override
    public boolean redefinable() {
        return source.redefinable();
    }

    @Override
    public boolean neverTakes(StatusException refusal) {
        return source.neverTakes(refusal);
    }

    @Override
    public Flux<ListEvent<T>> list(ListOptions options, Known<T> known) {
        return source.list(options, known);
    }

    @Override
    public Flux<WatchEvent<T>> watch(WatchOptions options, Known<T> known) {
        return source.watch(options, known);
    }
}
