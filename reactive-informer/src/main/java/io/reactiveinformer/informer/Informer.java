package io.reactiveinformer.informer;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.store.Index;
import io.reactiveinformer.store.Lister;
import io.reactiveinformer.view.View;
import reactor.core.publisher.Mono;

/** Keeps the objects of one type current, serves them to readers, and tells subscribers of changes. Shared by all who ask for the same. */
public interface Informer<T> extends View<ObjectKey, T> {

    ResourceType<T> type();

    Scope scope();

    /** Reads from the cache as it is now. Before {@link #synced} it may be empty or incomplete. */
    Lister<T> lister();

    /** Registers {@code index}; completes when it is filled, so that snapshots from then on have it. Registering it again does nothing. */
    Mono<Void> addIndex(Index<T, ?> index);

    /** Starts listing and watching. Returns at once; starting again does nothing. */
    void start();

    /** Stops listing and watching, for good. Subscribers get what is pending, then complete; the cache stays readable. */
    void stop();
}
