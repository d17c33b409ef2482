package io.reactiveinformer.informer;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.source.ListerWatcher;
import java.util.function.Consumer;
import reactor.core.publisher.Flux;

/** A source that catches errors which its subscribers throw. */
final class ContainedSource<T> extends ListerWatcher.Forwarding<T> {

    private final Consumer<Throwable> thrown;

    ContainedSource(ListerWatcher<T> source, Consumer<Throwable> thrown) {
        super(source);
        this.thrown = thrown;
    }

    @Override
    public Flux<ListEvent<T>> list(ListOptions options, Known<T> known) {
        return Contained.flux(super.list(options, known), thrown);
    }

    @Override
    public Flux<WatchEvent<T>> watch(WatchOptions options, Known<T> known) {
        return Contained.flux(super.watch(options, known), thrown);
    }
}
