package io.reactiveinformer.informer;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.ListEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.resource.WatchEvent;
import io.reactiveinformer.source.ListerWatcher;
import java.util.Objects;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import reactor.core.publisher.Flux;

/** Changes each object before anyone sees it. One on which the function throws is as one that could not be read: the others are unharmed. */
record TransformingListerWatcher<T>(ListerWatcher<T> source, UnaryOperator<T> transform) implements ListerWatcher<T> {

    @Override
    public String description() {
        return source.description();
    }

    @Override
    public Scope part() {
        return source.part();
    }

    @Override
    public Flux<ListEvent<T>> list(ListOptions options, Known<T> known) {
        return source.list(options, new Unshared<>(known)).map(event -> event instanceof ListEvent.Item<T> item ? transformed(item, known) : event);
    }

    private ListEvent<T> transformed(ListEvent.Item<T> item, Known<T> known) {
        Versioned<T> entry = item.entry();
        Versioned<T> held = known.find(item.key());
        if (held != null && held.sameVersion(entry)) {
            return new ListEvent.Item<>(item.key(), held); // which is transformed already
        }
        return transformed(item.key(), entry, result -> new ListEvent.Item<>(item.key(), result),
                failure -> new ListEvent.Unreadable<>(item.key(), entry.uid(), entry.resourceVersion(), failure));
    }

    @Override
    public Flux<WatchEvent<T>> watch(WatchOptions options, Known<T> known) {
        return source.watch(options, new Unshared<>(known)).map(this::transformed);
    }

    private WatchEvent<T> transformed(WatchEvent<T> event) {
        if (event instanceof WatchEvent.Added<T> added) {
            return transformed(added.key(), added.entry(), false, result -> new WatchEvent.Added<>(added.key(), result));
        } else if (event instanceof WatchEvent.Modified<T> modified) {
            return transformed(modified.key(), modified.entry(), false, result -> new WatchEvent.Modified<>(modified.key(), result));
        } else if (event instanceof WatchEvent.Deleted<T> deleted) {
            return transformed(deleted.key(), deleted.entry(), true, result -> new WatchEvent.Deleted<>(deleted.key(), result));
        }
        return event;
    }

    private WatchEvent<T> transformed(ObjectKey key, Versioned<T> entry, boolean deleted, Function<Versioned<T>, WatchEvent<T>> event) {
        return transformed(key, entry, event,
                failure -> new WatchEvent.Unreadable<>(key, entry.uid(), entry.resourceVersion(), deleted, failure));
    }

    private <E> E transformed(ObjectKey key, Versioned<T> entry, Function<Versioned<T>, E> event, Function<UnreadableObjectException, E> unreadable) {
        Versioned<T> result;
        try {
            result = entry.with(Objects.requireNonNull(transform.apply(entry.object()), "the transform gave null"));
        } catch (Exception | LinkageError | AssertionError | StackOverflowError failure) { // whatever a user's function throws concerns this object only
            return unreadable.apply(new UnreadableObjectException(
                    source.description() + ": the transform of " + key + " threw " + failure.getClass().getName(), failure));
        }
        return event.apply(result);
    }
}
