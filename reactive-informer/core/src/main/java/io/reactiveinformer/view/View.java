package io.reactiveinformer.view;

import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.store.Snapshot;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

/**
 * Rows that are kept current, to be read at any moment and subscribed to at any pace.
 *
 * <p>Views can be derived from views. A derived view has rows of its own, worked out on one of the
 * {@linkplain Delivery#sharedThreads shared threads}, a batch at a time: what one list of the server changes above is seen at once below. It is
 * kept current, and holds what it is derived from, only while it has subscribers or is {@linkplain #retain() retained}; otherwise its
 * {@link #snapshot} is empty and incomplete. A function that throws on a row concerns that row only: the last good one stays, {@link #status} names
 * it as stale (by the text of its key, where that is no {@link io.reactiveinformer.resource.ObjectKey}), and the first such failure is logged.
 *
 * @param <K> what names a row
 * @param <T> the row
 */
public interface View<K, T> {

    /** The rows now. Never waits. */
    Snapshot<K, T> snapshot();

    /**
     * As {@link #changes(Delivery)} with {@link Delivery#conflated()}: a subscriber that is slower than the changes receives the newest state of each
     * object, not each state between. Where each one counts, ask for {@code changes(Delivery.every(n))}: up to {@code n} changes wait then, and one more
     * fails the subscription.
     */
    default Flux<Change<K, T>> changes() {
        return changes(Delivery.conflated());
    }

    /**
     * What is there, as {@link Change.Added}, then {@link Change.Synced} exactly once, then what happens; no gap and no repeat, whenever one
     * subscribes. Begins when the first complete state is there.
     *
     * <p>Changes that are not requested are conflated by key, unless {@code delivery} is to keep {@linkplain Delivery#every every} one: a subscriber
     * without demand costs at most one entry a row, and delays nobody. Each subscription is independent, and is delivered on a worker of
     * {@code Schedulers.parallel()} unless {@code delivery} says otherwise.
     *
     * <p>Do not block on the shared threads ({@code Delivery.sharedThreads()}). A subscriber or handler that blocks there receives nothing until it
     * returns, and the others on its thread wait for up to a second, then go on on {@code Schedulers.boundedElastic()} while that has free threads. To
     * block, ask for a scheduler that allows it: {@code Delivery.on(Schedulers.boundedElastic())}. The cache and its connections wait for no subscriber,
     * unless its scheduler runs tasks on the calling thread, as {@code Schedulers.immediate()} does.
     *
     * <p>Completes when the view is stopped; fails when it has given up, and when this subscription's delivery has failed.
     */
    Flux<Change<K, T>> changes(Delivery delivery);

    /** As {@link #objects(Delivery)} with {@link Delivery#conflated()}: of an object that changes faster than it is requested, the newest state only. */
    default Flux<T> objects() {
        return objects(Delivery.conflated());
    }

    /**
     * Each object as it appears or changes: those that are there, in no particular order, then each one that is added or updated, as it is after that
     * change. Deletions are not emitted, nor is the end of what was there ({@link Change.Synced}), nor what an object was before: for these there is
     * {@link #changes(Delivery)}, of which this is a part, in the same order. After a {@linkplain Delivery#resync resync}, objects come again unchanged.
     *
     * <p>Demand counts objects. A change without one costs the subscriber no demand: another change is requested for it. Objects that are not requested
     * are conflated by key, unless {@code delivery} is to keep {@linkplain Delivery#every every} state; one that is deleted before it was requested is not
     * emitted. Threads, completion and errors are those of {@link #changes(Delivery)}.
     */
    default Flux<T> objects(Delivery delivery) {
        return changes(delivery).mapNotNull(change -> change.<@Nullable T>match(Change.Added::object, Change.Updated::after, deleted -> null, synced -> null));
    }

    /**
     * As {@link #changes(Delivery)}, in the same order, but those that wait at a time are told together, {@code most} of them at most. Demand counts batches, and
     * nobody waits for one to become full. For who sends changes on, and does so better together: after {@link #sample}, what happened in a period is a batch.
     */
    default Flux<List<Change<K, T>>> batches(int most, Delivery delivery) {
        if (most < 1) {
            throw new IllegalArgumentException("a batch must have room for 1 change at least, was " + most);
        }
        return FluxFollowing.of(feed(), delivery, () -> new Batches<>(delivery.<K, T>backlog(), most));
    }

    /** Completes when the first complete state is there. Why that takes long is in {@link #status}. */
    Mono<Void> synced();

    /** How this stands, now and at each change; a slow subscriber misses what is outdated. Never fails. */
    Flux<InformerStatus> status();

    /**
     * As {@link #status()}, delivered where {@code delivery} says: with {@code Delivery.on(scheduler)} on a worker of that scheduler, by way of no other thread
     * unless this view leaves it to this method. The rest of a delivery is about changes, and means nothing here.
     */
    default Flux<InformerStatus> status(Delivery delivery) {
        return status().onBackpressureLatest().publishOn(delivery.scheduler(), 1);
    }

    /** Who is subscribed to {@link #changes} now, in no particular order; empty where a view does not know. */
    default List<SubscriberStatus> subscribers() {
        return List.of();
    }

    /** Keeps this current, subscribers or not, until disposed. A view that is not derived does not need it. */
    default Disposable retain() {
        return Disposables.disposed();
    }

    /** What views derived from this one are kept current by. */
    default Feed<K, T> feed() {
        return Feed.of(Flux.defer(() -> changes(Delivery.partial())));
    }

    /**
     * The rows that match. One that no longer does is {@link Change.Deleted} with {@link io.reactiveinformer.delta.DeletionCause#LEFT};
     * one that does again is {@link Change.Added}; what happened in between is conflated.
     */
    default View<K, T> filter(Predicate<? super T> predicate) {
        return derived(wake -> OneSource.filter(feed(), predicate, wake), Duration.ZERO);
    }

    /**
     * What {@code function} makes of each row. Where the result equals the one before, nothing is announced; nor is it to a subscriber that received an
     * equal one last, whatever came between.
     */
    default <R> View<K, R> map(Function<? super T, ? extends R> function) {
        return derived(wake -> OneSource.map(feed(), function, wake), Duration.ZERO);
    }

    /**
     * These rows, brought up to date once in each {@code period} at most: a change after a pause at once, and what follows when the period is over, conflated by row and
     * once for all who use this. For many subscribers who need it no fresher than that: told of many rows together, each costs a fraction of what they cost one by
     * one.
     */
    default View<K, T> sample(Duration period) {
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("a period must be longer than zero, was " + period);
        }
        return derived(wake -> OneSource.filter(feed(), row -> true, wake), period);
    }

    /**
     * The rows by group: each a snapshot of the rows that belong to it, which says of its completeness and version how things stood when the group last
     * changed. A row belongs to one group, or to none.
     */
    default <G> View<G, Snapshot<K, T>> group(Function<? super T, ? extends Optional<G>> groupOf) {
        return derived(wake -> new Groups<>(feed(), groupOf, wake), Duration.ZERO);
    }

    /**
     * Each row, combined with those of {@code other} that it refers to, in the order of the references; what is not there is left out. At rest
     * no row is made of anything older than what both views have. Where the result equals the one before, nothing is announced.
     *
     * @param references the keys in {@code other} that a row refers to; any number
     */
    default <L, U, R> View<K, R> join(
            View<L, U> other,
            Function<? super T, ? extends Collection<L>> references,
            BiFunction<? super T, ? super List<U>, ? extends R> combine) {
        return new DerivedView<>(
                wake -> new Join<>(feed(), other.feed(), references, combine, wake),
                Delivery::sharedThreads,
                Duration.ZERO,
                synced().and(other.synced()),
                delivery -> JoinedStatus.of(status(delivery), other.status(delivery)),
                Delivery::statusThreads);
    }

    /** Of this view alone. */
    private <L, R> View<L, R> derived(Function<Runnable, Derivation<L, R>> derivation, Duration period) {
        return new DerivedView<>(derivation, Delivery::sharedThreads, period, synced(), this::status, Delivery::statusThreads);
    }
}
