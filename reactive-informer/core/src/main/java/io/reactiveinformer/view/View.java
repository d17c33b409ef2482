package io.reactiveinformer.view;

import io.reactiveinformer.internal.Latest;
import io.reactiveinformer.internal.SharedThreads;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub.Feed;
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
 * Rows that are kept current. They can be read at any time and subscribed to at any pace.
 *
 * <p>Views can be derived from views. A derived view has rows of its own. They are computed on one of the
 * {@linkplain Delivery#scheduler shared threads}, a batch at a time: all that one list of the server changes in the source becomes
 * visible in the derived view at once. A derived view is current, and stays subscribed to its sources, only while it has subscribers or is
 * {@linkplain #retain() retained}; otherwise its {@link #snapshot} is empty and incomplete. A function that throws on a row affects that
 * row only: the last good row of the same object stays, {@link #status} names it as stale (by the text of its key, if that is no
 * {@link io.reactiveinformer.resource.ObjectKey}), and the first such failure is logged. If something is thrown elsewhere, such as by
 * {@code equals} of a group, the subscribers fail; a view that is retained says {@code DISRUPTED}, serves its rows, and is computed anew
 * within a second at first, a minute later on.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 */
public interface View<K, T> {

    /** The rows as they are now; an immutable snapshot. Never waits; any thread may call it. */
    Snapshot<K, T> snapshot();

    /**
     * As {@link #changes(Delivery)} with {@link Delivery#conflated()}: a subscriber that is slower than the changes receives the newest
     * state of each object, not each state between. If every state counts, use {@code changes(Delivery.every(n))}: up to {@code n} changes
     * wait then, and one more fails the subscription.
     */
    default Flux<Change<K, T>> changes() {
        return changes(Delivery.conflated());
    }

    /**
     * Emits each present row as {@link Change.Added}, then {@link Change.Synced} exactly once, then each change as it happens. There is no
     * gap and no repeat, at whatever time the subscription begins. The first emission waits for the first complete state, unless
     * {@code delivery} is {@linkplain Delivery#partial partial}.
     *
     * <p>Changes that are not requested are conflated by key, unless {@code delivery} keeps {@linkplain Delivery#every every} change: a
     * subscriber without demand costs at most one entry a row, and delays no other subscriber. Each subscription is independent, and is
     * delivered on a worker of {@code Schedulers.parallel()} unless {@code delivery} names another scheduler.
     *
     * <p>Do not block on the shared threads (see {@code Delivery.scheduler()}). A subscriber or handler that blocks there receives nothing
     * until it returns. The other subscribers on its thread wait for up to a second, then continue on {@code Schedulers.boundedElastic()}
     * while that has free threads. To block, choose a scheduler that allows it: {@code Delivery.on(Schedulers.boundedElastic())}. The cache
     * and its connections wait for no subscriber, unless its scheduler runs tasks on the calling thread, as {@code Schedulers.immediate()}
     * does.
     *
     * <p>Completes when the view is stopped. Fails when the view has given up, and when the delivery to this subscription has failed.
     */
    Flux<Change<K, T>> changes(Delivery delivery);

    /**
     * As {@link #objects(Delivery)} with {@link Delivery#conflated()}: if an object changes faster than it is requested, only its newest
     * state is emitted.
     */
    default Flux<T> objects() {
        return objects(Delivery.conflated());
    }

    /**
     * Emits each object as it appears or changes: first the present objects, in no particular order, then each object that is added or
     * updated, in its state after that change. Deletions, {@link Change.Synced} and the states before a change are not emitted;
     * {@link #changes(Delivery)} has them, in the same order. A {@linkplain Delivery#resync resync} emits objects again unchanged.
     *
     * <p>Demand counts objects. A change without an object costs the subscriber no demand: another change is requested in its place.
     * Objects that are not requested are conflated by key, unless {@code delivery} keeps {@linkplain Delivery#every every} state; if they
     * are conflated, an object that is deleted before it was requested is not emitted. Threads, completion and errors are those of
     * {@link #changes(Delivery)}.
     */
    default Flux<T> objects(Delivery delivery) {
        return changes(delivery).mapNotNull(
                change -> change.<@Nullable T>match(Change.Added::object, Change.Updated::after, deleted -> null, synced -> null));
    }

    /**
     * As {@link #changes(Delivery)}, in the same order, but the changes that wait at one time are emitted together, at most {@code most} in
     * a list. Demand counts lists. A list is emitted as soon as there is a change; it does not wait to become full. For subscribers that
     * send changes on, and do so better together: after {@link #sample}, a list holds what happened in a period.
     *
     * @throws IllegalArgumentException if {@code most} is less than 1
     */
    default Flux<List<Change<K, T>>> batches(int most, Delivery delivery) {
        if (most < 1) {
            throw new IllegalArgumentException("a batch must have room for 1 change at least, was " + most);
        }
        return FluxFollowing.of(feed(), delivery, () -> new Batches<>(delivery.<K, T>backlog(), most));
    }

    /**
     * Completes when the first complete state is there, also if it was there before. Fails if the view ends before that. If it takes long,
     * {@link #status} gives the reason.
     */
    Mono<Void> synced();

    /**
     * Emits the current status, then each new one. A slow subscriber misses outdated ones. Fails only for its own subscriber: if that
     * throws, or if there is no thread to deliver on.
     */
    Flux<InformerStatus> status();

    /**
     * As {@link #status()}, delivered on a worker of the scheduler of {@code delivery}: with {@code Delivery.on(scheduler)}, no other
     * thread is involved unless the view inherits this default method. The other settings of a delivery are about changes and have no
     * effect here.
     */
    default Flux<InformerStatus> status(Delivery delivery) {
        return Latest.of(status(), delivery.scheduler());
    }

    /** The subscriptions to {@link #changes} at this moment, in no particular order; empty if the view does not track them. */
    default List<SubscriberStatus> subscribers() {
        return List.of();
    }

    /** Keeps this view current, even without subscribers, until the result is disposed. Has no effect on a view that is not derived. */
    default Disposable retain() {
        return Disposables.disposed();
    }

    /**
     * The source of commits for views that are derived from this one. By default it is made of {@link #changes(Delivery)}, one commit a
     * change.
     */
    default Feed<K, T> feed() {
        return Feed.of(Flux.defer(() -> changes(Delivery.partial())));
    }

    /**
     * A view of the rows that match {@code predicate}. A row that no longer matches is emitted as {@link Change.Deleted} with
     * {@link io.reactiveinformer.delta.DeletionCause#LEFT}, one that matches again as {@link Change.Added}; what happened in between is
     * conflated. If the predicate throws on a row, the last good row stays.
     */
    default View<K, T> filter(Predicate<? super T> predicate) {
        return derived(wake -> OneSource.filter(feed(), predicate, wake), Duration.ZERO);
    }

    /**
     * A view of the results of {@code function}, one for each row. A result that equals the previous one is not emitted; nor is it emitted
     * to a subscriber that received an equal one last, whatever came between. If the function throws or returns null, the last good row
     * stays.
     */
    default <R> View<K, R> map(Function<? super T, ? extends R> function) {
        return derived(wake -> OneSource.map(feed(), function, wake), Duration.ZERO);
    }

    /**
     * A view of the same rows that is updated at most once in each {@code period}: a change after a pause is visible at once; later changes
     * become visible when the period is over, conflated by row, once for all subscribers of this view. For many subscribers that need no
     * fresher rows than that: rows that are emitted together cost a fraction of what they cost one by one.
     *
     * @throws IllegalArgumentException if {@code period} is zero or negative
     */
    default View<K, T> sample(Duration period) {
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("a period must be longer than zero, was " + period);
        }
        return derived(wake -> OneSource.filter(feed(), row -> true, wake), period);
    }

    /**
     * A view of the rows by group: each group is a snapshot of its rows. The snapshot's completeness and version are those of the moment
     * when the group last changed. A row belongs to one group, or to none if {@code groupOf} returns empty; a group without rows is not in
     * the view. If {@code groupOf} throws on a row, the last good row stays in its group.
     */
    default <G> View<G, Snapshot<K, T>> group(Function<? super T, ? extends Optional<G>> groupOf) {
        return derived(wake -> new Groups<>(feed(), groupOf, wake), Duration.ZERO);
    }

    /**
     * A view of each row combined with the rows of {@code other} that it refers to, in the order of the references; missing rows are left
     * out. Once no changes are pending, every row is made of the current rows of both views. A result that equals the previous one is not
     * emitted. If a function throws or {@code combine} returns null, the last good row stays.
     *
     * @param references the keys in {@code other} that a row refers to; any number
     */
    default <L, U, R> View<K, R> join(
            View<L, U> other,
            Function<? super T, ? extends Collection<L>> references,
            BiFunction<? super T, ? super List<U>, ? extends R> combine) {
        return new DerivedView<>(
                wake -> new Join<>(feed(), other.feed(), references, combine, wake),
                SharedThreads::ofChanges,
                Duration.ZERO,
                synced().and(other.synced()),
                delivery -> JoinedStatus.of(status(delivery), other.status(delivery)),
                SharedThreads::ofStatuses);
    }

    /** A view that has this one as its only source. */
    private <L, R> View<L, R> derived(Function<Runnable, Derivation<L, R>> derivation, Duration period) {
        return new DerivedView<>(derivation, SharedThreads::ofChanges, period, synced(), this::status, SharedThreads::ofStatuses);
    }
}
