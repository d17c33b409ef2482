package io.reactiveinformer.source;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.WatchEvent;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;

/**
 * Asks another source. For subclasses that change some of its answers: each method that they do not override is answered by that source.
 */
public abstract class ForwardingListerWatcher<T> implements ListerWatcher<T> {

    private final ListerWatcher<T> source;

    /** @param source answers what is not overridden */
    protected ForwardingListerWatcher(ListerWatcher<T> source) {
        this.source = Objects.requireNonNull(source, "source");
    }

    @Override
    public String description() {
        return source.description();
    }

    @Override
    public Namespaces part() {
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
    public Flux<ListEvent<T>> one(@Nullable ObjectKey key, String resourceVersion, ListOptions.Match match, Known<T> known) {
        return source.one(key, resourceVersion, match, known);
    }

    @Override
    public Flux<ListEvent<T>> list(ListOptions options, Known<T> known) {
        return source.list(options, known);
    }

    @Override
    public Flux<WatchEvent<T>> watch(WatchOptions options, Known<T> known) {
        return source.watch(options, known);
    }

    @Override
    public String toString() {
        return source.toString();
    }
}
