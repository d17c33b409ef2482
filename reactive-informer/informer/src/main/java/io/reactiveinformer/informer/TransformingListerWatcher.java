package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.source.ListerWatcher;
import java.util.Objects;
import java.util.function.Function;
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
    public Flux<ListEvent<T>> list(ListOptions options, Reading<T> reading) {
        var unshared = new Unshared<>(reading);
        return super.list(options, unshared.reading()).map(event -> transformed(event, unshared));
    }

    private ListEvent<T> transformed(ListEvent<T> event, Unshared<T> unshared) {
        if (event instanceof ListEvent.Item<T> item) {
            return transformed(item.key(), item.entry(), unshared);
        } else if (event instanceof ListEvent.Unreadable<T> unreadable) {
            unshared.forget(unreadable.key());
        }
        return event;
    }

    private ListEvent<T> transformed(ObjectKey key, Versioned<T> entry, Unshared<T> unshared) {
        return transformed(key, entry, unshared, result -> new ListEvent.Item<>(key, result),
                failure -> new ListEvent.Unreadable<>(key, entry.uid(), entry.resourceVersion(), failure));
    }

    @Override
    public Flux<WatchEvent<T>> watch(WatchOptions options, Reading<T> reading) {
        var unshared = new Unshared<>(reading);
        return super.watch(options, unshared.reading()).map(event -> transformed(event, unshared));
    }

    private WatchEvent<T> transformed(WatchEvent<T> event, Unshared<T> unshared) {
        if (event instanceof WatchEvent.Added<T> added) {
            return transformed(added.key(), added.entry(), false, unshared, result -> new WatchEvent.Added<>(added.key(), result));
        } else if (event instanceof WatchEvent.Modified<T> modified) {
            return transformed(modified.key(), modified.entry(), false, unshared,
                    result -> new WatchEvent.Modified<>(modified.key(), result));
        } else if (event instanceof WatchEvent.Deleted<T> deleted) {
            return transformed(deleted.key(), deleted.entry(), true, unshared, result -> new WatchEvent.Deleted<>(deleted.key(), result));
        } else if (event instanceof WatchEvent.Unreadable<T> unreadable) {
            unshared.forget(unreadable.key());
        }
        return event;
    }

    private WatchEvent<T> transformed(ObjectKey key, Versioned<T> entry, boolean deleted, Unshared<T> unshared,
            Function<Versioned<T>, WatchEvent<T>> event) {
        return transformed(key, entry, unshared, event,
                failure -> new WatchEvent.Unreadable<>(key, entry.uid(), entry.resourceVersion(), deleted, failure));
    }

    private <E> E transformed(
            ObjectKey key, Versioned<T> entry, Unshared<T> unshared, Function<Versioned<T>, E> event,
            Function<UnreadableObjectException, E> unreadable) {
        Versioned<T> held = unshared.held(key, entry);
        if (held != null) {
            return event.apply(held); // transformed already
        }
        Versioned<T> result;
        try {
            result = entry.with(Objects.requireNonNull(transform.apply(entry.object()), "the transform returned null"));
        } catch (Throwable failure) { // a failure of a user's function concerns this object only
            return unreadable.apply(new UnreadableObjectException(
                    identity().description() + ": the transform of " + key + " threw " + failure.getClass().getName(), failure));
        }
        return event.apply(result);
    }
}
