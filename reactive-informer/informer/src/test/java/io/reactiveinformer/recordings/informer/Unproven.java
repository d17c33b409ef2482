package io.reactiveinformer.recordings.informer;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.source.ListerWatcher;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/** Asks for no proof after a broken watch: what was recorded has no answer to that. */
final class Unproven<T> extends ListerWatcher.Forwarding<T> {

    Unproven(ListerWatcher<T> source) {
        super(source);
    }

    @Override
    public Flux<ListEvent<T>> one(@Nullable ObjectKey key, String resourceVersion, ListOptions.Match match, Known<T> known) {
        return Flux.empty();
    }

    @Override
    public Flux<ListEvent<T>> firstAt(String resourceVersion, int limit, Known<T> known) {
        return Flux.empty();
    }
}
