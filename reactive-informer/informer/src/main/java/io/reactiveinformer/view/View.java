package io.reactiveinformer.view;

import io.reactiveinformer.internal.informer.LatestSubscription;
import io.reactiveinformer.internal.informer.SharedThreads;
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
 * Rows that are kept current, to be read at any time, and subscribed to at any pace. Thread-safe.
 *
 * <p>Views can be derived from views. A derived view has rows of its own. They are computed on one of the
 * {@linkplain Delivery#scheduler() shared threads}, a batch at a time: all changes of the source by one list of the server become visible
 * in the derived view together. A derived view is current, and stays subscribed to its sources, only while it has subscribers or is
 * {@linkplain #retain() retained}; otherwise its {@link #snapshot} is empty and incomplete. A function that throws for a row affects that
 * row only: the last good row of the same object stays, {@link #status} lists it as stale (by the text of its key, if that is not an
 * {@link io.reactiveinformer.resource.ObjectKey}), and the first such failure is logged. If other code throws, such as {@code equals} of a
 * group, the subscribers fail; a retained view has the state {@code DISRUPTED} then, still serves its rows, and is computed anew after
 * pauses that grow from a second to a minute.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 */
public interface View<K, T> {

    /** The rows as they are now; an immutable snapshot. Never waits; any thread may call it. */
    Snapshot<K, T> snapshot();

    /**
     * As {@link #changes(Delivery)} with {@link Delivery#conflated()}: a subscriber that is slower than the changes receives the newest
     * state of each object, and skips the states in between. To receive each state, use {@code changes(Delivery.every(n))}: up to {@code n}
     * changes wait then, and one more fails the subscription.
     */
    default Flux<Change<K, T>> changes() {
        return changes(Delivery.conflated());
    }

    /**
     * Emits each present row as {@link Change.Added}, then {@link Change.Synced} exactly once, then each change as it happens, without a
     * gap or a repeat. The first emission waits for the first complete state, unless {@code delivery} is
     * {@linkplain Delivery#partial partial}.
     *
     * <p>Changes that are not requested are conflated by key, unless {@code delivery} keeps {@linkplain Delivery#every every} change: a
     * subscriber without demand costs at most one entry for each row, and does not delay other subscribers. Each subscription is
     * independent. It is delivered on a worker of the {@linkplain Delivery#scheduler() shared threads} unless {@code delivery} has
     * another scheduler.
     *
     * <p>Do not block on the shared threads (see {@code Delivery.scheduler()}). A subscriber or handler that blocks there receives no more
     * changes until it returns. The other subscribers on its thread wait for up to a second, then continue on {@code
     * Schedulers.boundedElastic()} while that has free threads. To block, choose a scheduler that allows it: {@code
     * Delivery.conflated().on(Schedulers.boundedElastic())}. The cache and its connections never wait for a subscriber, unless its
     * scheduler runs tasks on the calling thread, as {@code Schedulers.immediate()} does.
     *
     * <p>Completes when the view is stopped. Fails when the view has given up, and when this subscription fails, such as with
     * {@link BacklogOverflowException}.
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
     * <p>Demand counts objects. A change without an object does not count as demand: another change is requested in its place. Objects that
     * are not requested are conflated by key, unless {@code delivery} keeps {@linkplain Delivery#every every} state; if they are conflated,
     * an object that is deleted before it was requested is not emitted, unless {@code delivery} has {@linkplain Delivery#brief brief}
     * rows. Threads, completion and errors are those of {@link #changes(Delivery)}.
     */
    default Flux<T> objects(Delivery delivery) {
        return changes(delivery).mapNotNull(
                change -> change.<@Nullable T>match(Change.Added::object, Change.Updated::after, deleted -> null, synced -> null));
    }

    /**
     * As {@link #changes(Delivery)}, in the same order, but the changes that wait at one time are emitted together, at most {@code most} in
     * a list. Demand counts lists. A list is emitted as soon as there is a change; it does not wait to become full. For subscribers that
     * forward changes, and do so better together: after {@link #sample}, a list has the changes of a period.
     *
     * @throws IllegalArgumentException if {@code most} is less than 1
     */
    default Flux<List<Change<K, T>>> batches(int most, Delivery delivery) {
        if (most < 1) {
            throw new IllegalArgumentException("most must be at least 1, was " + most);
        }
        return FollowingSubscription.flux(Feed.of(this), delivery, delivery::backlog, changes -> changes.next(most));
    }

    /**
     * Completes when the first complete state was received, at once if that has happened. Fails if the view ends before. If it takes long,
     * {@link #status} has the reason.
     */
    Mono<Void> synced();

    /**
     * Emits the current status, then each new one. A slow subscriber misses outdated ones. Fails only if its own subscriber throws, or if
     * there is no thread to deliver on.
     */
    Flux<InformerStatus> status();

    /**
     * As {@link #status()}, delivered on a worker of the scheduler of {@code delivery}: with {@code Delivery.conflated().on(scheduler)}, no
     * other thread is involved unless the view inherits this default method. The other settings of a delivery concern changes, and have no
     * effect here.
     */
    default Flux<InformerStatus> status(Delivery delivery) {
        return LatestSubscription.of(status(), delivery.scheduler());
    }

    /** The subscriptions to {@link #changes} at this moment, in no particular order; empty if the view does not track them. */
    default List<SubscriberStatus> subscribers() {
        return List.of();
    }

    /** Keeps this view current, even without subscribers, until the result is disposed of. No effect on a view that is not derived. */
    default Disposable retain() {
        return Disposables.disposed();
    }

    /**
     * A view of the rows that match {@code predicate}. A row that no longer matches is emitted as {@link Change.Deleted} with
     * {@link io.reactiveinformer.delta.DeletionCause#LEFT}, one that matches again as {@link Change.Added}; changes in between are
     * conflated. If the predicate throws for a row, the last good row stays.
     */
    default View<K, T> filter(Predicate<? super T> predicate) {
        return derived(wake -> Derived.filter(Feed.of(this), predicate, wake), Duration.ZERO);
    }

    /**
     * A view of the rows that match the latest predicate. With each predicate all rows are tested, and become visible or {@linkplain
     * io.reactiveinformer.delta.DeletionCause#LEFT leave} together, in one change of the view. For what a reader may see: until a predicate
     * is emitted the view has no rows and is not complete, and {@link #status} has that as the cause; a row for which the predicate throws
     * is left out, and the first such failure is logged. If {@code predicates} completes, the last predicate stays. If it fails, all rows
     * leave, the view is incomplete with that error in its status, and subscribes again after pauses that grow from a second to a minute.
     * Completes when this view does, after all changes; predicates after that have no effect, and are not awaited.
     *
     * @param predicates subscribed to while the view is in use, once for all its subscribers, with unbounded demand; a predicate that is
     *     outdated before it was applied is skipped. The same instance may be emitted again if its result has changed
     */
    default View<K, T> filter(Flux<? extends Predicate<? super T>> predicates) {
        return derived(wake -> Derived.filter(Feed.of(this), predicates.map(predicate -> predicate), wake), Duration.ZERO);
    }

    /**
     * A view of the results of {@code function}, one for each row. A result that equals the previous one is not emitted; nor is it emitted
     * to a subscriber that last received an equal one, even if there were others in between. If the function throws or returns null, the
     * last good row stays; to leave rows out, use {@link #mapNotNull}.
     */
    default <R> View<K, R> map(Function<? super T, ? extends R> function) {
        return derived(wake -> Derived.map(Feed.of(this), function, wake), Duration.ZERO);
    }

    /**
     * As {@link #map}, but a row for which {@code function} returns null is left out: one that had a result is emitted as {@link
     * Change.Deleted} with {@link io.reactiveinformer.delta.DeletionCause#LEFT}, one that has a result again as {@link Change.Added}. If
     * the function throws, the last good row stays.
     */
    default <R> View<K, R> mapNotNull(Function<? super T, ? extends @Nullable R> function) {
        return derived(wake -> Derived.mapNotNull(Feed.of(this), function, wake), Duration.ZERO);
    }

    /**
     * A view of the same rows that is updated at most once in each {@code period}: a change after a pause is visible at once; later changes
     * become visible when the period is over, conflated by row, once for all subscribers of this view. For many subscribers that do not
     * need fresher rows: rows that are emitted together cost a fraction of those that are emitted one by one.
     *
     * @throws IllegalArgumentException if {@code period} is zero or negative
     */
    default View<K, T> sample(Duration period) {
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("a period must be longer than zero, was " + period);
        }
        return derived(wake -> Derived.filter(Feed.of(this), row -> true, wake), period);
    }

    /**
     * A view of the rows by group: each group is a snapshot of its rows. Completeness and version of the snapshot are those of the time
     * when the group last changed. A row belongs to one group, or to none if {@code groupOf} returns empty; a group without rows is not in
     * the view. If {@code groupOf} throws for a row, the last good row stays in its group.
     */
    default <G> View<G, Snapshot<K, T>> group(Function<? super T, ? extends Optional<G>> groupOf) {
        return derived(wake -> Derived.groups(Feed.of(this), groupOf, wake), Duration.ZERO);
    }

    /**
     * A view of each row combined with the rows of {@code other} that it refers to, in the order of the references; missing rows are left
     * out, and a row that is referred to twice is there twice. Once no changes are pending, each row is made of the current rows of both
     * views. A result that equals the previous one is not emitted. If a function throws or {@code combine} returns null, the last good row
     * stays. Completes when both views have: while one goes on, rows may change.
     *
     * @param other the view with the rows that are referred to
     * @param references returns the keys in {@code other} that a row refers to; any number
     * @param combine combines a row with the rows that it refers to
     */
    default <L, U, R> View<K, R> join(
            View<L, U> other,
            Function<? super T, ? extends Collection<L>> references,
            BiFunction<? super T, ? super List<U>, ? extends R> combine) {
        return new DerivedView<>(
                wake -> Derived.join(Feed.of(this), Feed.of(other), references, combine, wake),
                SharedThreads::ofChanges,
                Duration.ZERO,
                synced().and(other.synced()),
                delivery -> JoinedStatus.of(status(delivery), other.status(delivery)),
                SharedThreads::ofStatuses);
    }

    /**
     * A memory of this view, for subscribers that are disconnected at times and continue where they were. It follows the view until it is
     * closed. A view costs nothing more as long as it has no memory.
     */
    default Memory<K, T> remembering(Retention retention) {
        return new Memory<>(this, retention);
    }

    /** A view that has this one as its only source. */
    private <L, R> View<L, R> derived(Function<Runnable, Derived<L, R>> derived, Duration period) {
        return new DerivedView<>(derived, SharedThreads::ofChanges, period, synced(), this::status, SharedThreads::ofStatuses);
    }
}
