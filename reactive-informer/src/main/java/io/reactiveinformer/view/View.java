package io.reactiveinformer.view;

import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.store.Snapshot;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Rows that are kept current, to be read at any moment and subscribed to at any pace.
 *
 * @param <K> what names a row
 * @param <T> the row
 */
public interface View<K, T> {

    /** The rows now. Never waits. */
    Snapshot<K, T> snapshot();

    /** As {@link #changes(Delivery)} with {@link Delivery#conflated()}. */
    default Flux<Change<K, T>> changes() {
        return changes(Delivery.conflated());
    }

    /**
     * What is there, as {@link Change.Added}, then {@link Change.Synced} exactly once, then what happens; no gap and no repeat, whenever one
     * subscribes. Begins when the first complete state is there.
     *
     * <p>What is not requested is folded by key, so that a subscriber without demand costs at most one entry a row, and delays nobody. Each
     * subscription is independent, and is delivered on a worker of {@code Schedulers.parallel()} unless {@code delivery} says otherwise.
     * Completes when the view is stopped; fails when it has given up, and when this subscription's delivery has failed.
     */
    Flux<Change<K, T>> changes(Delivery delivery);

    /** Completes when the first complete state is there; one that waits in vain for longer than its {@code timeout} is told why. */
    Mono<Void> synced();

    /** How this stands, now and at each change; a slow subscriber misses what is outdated. Never fails. */
    Flux<InformerStatus> status();
}
