package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import java.util.Objects;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;

/**
 * Changes each object before it is cached. An object that is cached in the same version is not changed again. An object for which the
 * function throws counts as unreadable; the others are not affected.
 */
final class TransformingListerWatcher<T> extends ListerWatcher.Forwarding<T> {

    private final UnaryOperator<T> transform;

    TransformingListerWatcher(ListerWatcher<T> source, UnaryOperator<T> transform) {
        super(source);
        this.transform = transform;
    }

    @Override
    public Flux<ObjectEvent<T>> list(ListOptions options, Reading<T> reading) {
        var unshared = new Unshared<>(reading);
        return super.list(options, unshared.reading()).map(event -> transformed(event, unshared));
    }

    @Override
    public Flux<ObjectEvent<T>> watch(WatchOptions options, Reading<T> reading) {
        var unshared = new Unshared<>(reading);
        return super.watch(options, unshared.reading()).map(event -> transformed(event, unshared));
    }

    private ObjectEvent<T> transformed(ObjectEvent<T> event, Unshared<T> unshared) {
        ObjectKey key = event.key();
        Versioned<T> entry = event.entry();
        if (key == null || entry == null) {
            unshared.forget(key);
            return event;
        }
        Versioned<T> result = unshared.held(key, entry);
        if (result == null) { // not transformed already
            try {
                result = entry.with(Objects.requireNonNull(transform.apply(entry.object()), "the transform returned null"));
            } catch (Throwable failure) { // a failure of a user's function concerns this object only
                return new ObjectEvent.Unreadable<>(key, entry.uid(), entry.resourceVersion(), event.deleted(),
                        new UnreadableObjectException(
                                identity().description() + ": the transform of " + key + " threw "
                                        + failure.getClass().getName(), failure));
            }
        }
        return event instanceof ObjectEvent.Applied<T> applied
                ? new ObjectEvent.Applied<>(key, result, applied.modified()) : new ObjectEvent.Deleted<>(key, result);
    }
}
