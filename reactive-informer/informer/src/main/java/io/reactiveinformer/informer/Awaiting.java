package io.reactiveinformer.informer;

import io.reactiveinformer.internal.ResourceVersion;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub;
import io.reactiveinformer.view.Delivery;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;

/** Waits for a condition on the rows of one informer. */
final class Awaiting<T> {

    private final String description;
    private final Supplier<Namespaces> namespaces;
    private final ChangeHub<ObjectKey, T> hub;

    /** @param namespaces supplies the current namespaces of the informer */
    Awaiting(String description, Supplier<Namespaces> namespaces, ChangeHub<ObjectKey, T> hub) {
        this.description = description;
        this.namespaces = namespaces;
        this.hub = hub;
    }

    /**
     * Emits the first non-null result of {@code wanted} for the rows; {@code wanted} returns null as long as the condition does not hold.
     *
     * @param event the awaited event, for the message of the failure
     */
    <R> Mono<R> first(ObjectKey key, Function<Snapshot<ObjectKey, T>, @Nullable R> wanted, String event) {
        Mono<R> found = hub.snapshots(Delivery.conflated())
                .<R>handle((rows, sink) -> {
                    R row = isHeard(rows, key) ? wanted.apply(rows) : null;
                    if (row != null) {
                        sink.next(row);
                    } else if (!namespaces.get().covers(key)) {
                        sink.error(outside(key)); // the namespaces changed after the subscription
                    }
                })
                .next()
                .switchIfEmpty(Mono.error(() -> new InformerStoppedException(description, key + " " + event)));
        return Mono.defer(() -> namespaces.get().covers(key) ? found : Mono.error(outside(key)));
    }

    private IllegalArgumentException outside(ObjectKey key) {
        return new IllegalArgumentException(key + " cannot appear in " + description + ", which watches " + namespaces.get());
    }

    /** Emits the first rows in which {@code key} has the state of {@code resourceVersion}, or a later one. */
    Mono<Snapshot<ObjectKey, T>> atLeast(ObjectKey key, String resourceVersion) {
        return first(key, rows -> hasReached(rows, key, resourceVersion) ? rows : null, "reached version " + resourceVersion);
    }

    /** Whether rows of this part count: restored rows may be of any age until the server has sent the later changes. */
    private boolean isHeard(Snapshot<ObjectKey, ?> rows, ObjectKey key) {
        return rows.resourceVersion(partOf(key)).isPresent();
    }

    private boolean hasReached(Snapshot<ObjectKey, ?> rows, ObjectKey key, String resourceVersion) {
        Versioned<?> held = rows.find(key);
        return held != null && ResourceVersion.isAtMost(resourceVersion, held.resourceVersion())
                || ResourceVersion.isAtMost(resourceVersion, rows.resourceVersion(partOf(key)).orElse(null));
    }

    private Namespaces partOf(ObjectKey key) {
        Namespaces now = namespaces.get();
        return now.isAll() || key.namespace() == null ? now : Namespaces.of(key.namespace());
    }
}
