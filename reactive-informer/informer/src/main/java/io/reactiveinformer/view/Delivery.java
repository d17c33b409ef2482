package io.reactiveinformer.view;

import io.reactiveinformer.internal.informer.SharedThreads;
import java.time.Duration;
import java.time.Instant;
import java.util.Objects;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.Exceptions;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How one subscription receives changes: {@link #conflated} or {@link #every} change, and what is added to it, as in
 * {@code Delivery.every(256).on(scheduler).resync(ofMinutes(10))}. Immutable: each method returns a copy that differs in one thing.
 *
 * <p>Do not block on the shared threads (see {@code Delivery.scheduler()}). A subscriber or handler that blocks there receives no more
 * changes until it returns. The other subscribers on its thread wait for up to a second, then continue on {@code
 * Schedulers.boundedElastic()} while that has free threads. To block, choose a scheduler that allows it: {@code
 * Delivery.conflated().on(Schedulers.boundedElastic())}. The cache and its connections never wait for a subscriber, unless its scheduler
 * runs tasks on the calling thread, as {@code Schedulers.immediate()} does.
 */
public final class Delivery {

    private static final Delivery CONFLATED = new Delivery(null, 0, null, false, false, "", null);

    private final @Nullable Scheduler scheduler;
    private final int limit;
    private final @Nullable Duration resyncPeriod;
    private final boolean partial;
    private final boolean brief;
    private final String name;
    private final @Nullable AtomicLong missed;

    private Delivery(@Nullable Scheduler scheduler, int limit, @Nullable Duration resyncPeriod, boolean partial, boolean brief, String name,
            @Nullable AtomicLong missed) {
        this.scheduler = scheduler;
        this.limit = limit;
        this.resyncPeriod = resyncPeriod;
        this.partial = partial;
        this.brief = brief;
        this.name = name;
        this.missed = missed;
    }

    /**
     * The default delivery: conflated, on one of the {@linkplain #scheduler() shared threads}. A subscriber that is slower than the
     * changes receives the newest state of each row, and skips the states in between. To receive each state, use {@link #every}.
     */
    public static Delivery conflated() {
        return CONFLATED;
    }

    /**
     * A copy that delivers on a worker of {@code scheduler}, which is also the clock of {@link #resync}; if it has none, as the schedulers
     * of most executors, {@code Schedulers.parallel()} is the clock. If the scheduler runs a task on the thread that schedules it, as
     * {@code Schedulers.immediate()} does, the subscriber is called on the thread that publishes the changes: the cache and all other
     * subscribers wait until it returns.
     */
    public Delivery on(Scheduler other) {
        Objects.requireNonNull(other, "scheduler");
        return new Delivery(other, limit, resyncPeriod, partial, brief, name, missed);
    }

    /**
     * Delivers each state of each row, in order, instead of the latest only. A subscription for which more than {@code limit} changes wait
     * fails with {@link BacklogOverflowException}; a handler goes on. The initial rows, and the rows that one list of the server changes at once, do not
     * count. Lists alone fail a subscription only if several of them wait that together changed more than 65,536 rows, and more than four
     * times the number of rows.
     *
     * @throws IllegalArgumentException if {@code limit} is less than 1
     */
    public static Delivery every(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("limit must be at least 1, was " + limit);
        }
        return new Delivery(null, limit, null, false, false, "", null);
    }

    /**
     * Emits each row again after each {@code period}, as {@link Change.Updated} whose {@code before} and {@code after} are the same. A row
     * with a waiting change is emitted once, as is a row that still waits since the last period. Sends no request to the server.
     *
     * @throws IllegalArgumentException if {@code period} is zero or negative
     */
    public Delivery resync(Duration period) {
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("a resync period must be longer than zero, was " + period);
        }
        return new Delivery(scheduler, limit, period, partial, brief, name, missed);
    }

    /**
     * A copy that delivers rows even before they are complete. {@link Change.Synced} is still emitted only after the first complete state.
     */
    public Delivery partial() {
        return new Delivery(scheduler, limit, resyncPeriod, true, brief, name, missed);
    }

    /**
     * A copy that, after {@link Change.Synced}, also emits objects that came and went while the subscriber was busy: the last one of each
     * key, as {@link Change.Added} and {@link Change.Deleted}. For code that reads the cache, such as controllers: it may have seen the
     * object there. Each such key takes one pending entry. No effect with {@link #every}. A view by {@link View#sample} has no rows that
     * are briefer than its period, and a derived view whose worker is more than a hundred of them behind may leave some out.
     */
    public Delivery brief() {
        return new Delivery(scheduler, limit, resyncPeriod, partial, true, name, missed);
    }

    /**
     * A copy that names the subscription in {@link View#subscribers} and in metrics. Use its purpose, such as {@code gateway-routes}; the
     * name need not be unique.
     */
    public Delivery named(String other) {
        Objects.requireNonNull(other, "name");
        return new Delivery(scheduler, limit, resyncPeriod, partial, brief, other, missed);
    }

    String name() {
        return name;
    }

    /** A copy for one subscriber, which does not fail when more changes wait, but begins anew: {@link EveryBacklog}. */
    Delivery counting(AtomicLong states) {
        return new Delivery(scheduler, limit, resyncPeriod, partial, brief, name, states);
    }

    long missed() {
        return missed == null ? 0 : missed.get();
    }

    boolean isBrief() {
        return brief;
    }

    boolean keepsEach() {
        return limit > 0;
    }

    /**
     * The scheduler set by {@link #on}, or else the shared threads: workers of {@code Schedulers.parallel()}. If a subscriber blocks such a
     * thread, the others that wait for the thread continue on {@code Schedulers.boundedElastic()} after about a second. For implementations
     * of {@link View}, which call this at each subscription, so that virtual time takes effect.
     */
    public Scheduler scheduler() {
        return scheduler == null ? SharedThreads.ofChanges() : scheduler;
    }

    <K, T> PendingChanges<K, T> backlog() {
        Scheduler clock = scheduler();
        return keepsEach()
                ? new EveryBacklog<>(limit, partial, name, () -> Instant.ofEpochMilli(clock.now(TimeUnit.MILLISECONDS)), missed)
                : new ConflatedBacklog<>(partial, brief);
    }

    /**
     * Runs {@code resync} after each period, until the result is disposed of; not at all if no period is set. A scheduler without a clock
     * is replaced as such by {@code Schedulers.parallel()}.
     */
    Disposable scheduleResync(Scheduler.Worker worker, Runnable resync) {
        if (resyncPeriod == null) {
            return Disposables.disposed();
        }
        long nanos = resyncPeriod.toNanos();
        try {
            return worker.schedulePeriodically(resync, nanos, nanos, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException refused) {
            if (refused != Exceptions.failWithRejectedNotTimeCapable()) {
                throw refused;
            }
            Scheduler.Worker clock = Schedulers.parallel().createWorker();
            clock.schedulePeriodically(resync, nanos, nanos, TimeUnit.NANOSECONDS);
            return clock;
        }
    }
}
