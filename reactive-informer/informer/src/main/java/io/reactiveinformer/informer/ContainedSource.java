package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.internal.informer.Contained;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.Reading;
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
    public Flux<ObjectEvent<T>> list(ListOptions options, Reading<T> reading) {
        return Contained.flux(super.list(options, reading), thrown);
    }

    @Override
    public Flux<ObjectEvent<T>> watch(WatchOptions options, Reading<T> reading) {
        return Contained.flux(super.watch(options, reading), thrown);
    }
}
