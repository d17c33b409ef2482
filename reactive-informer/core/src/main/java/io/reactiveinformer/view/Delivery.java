package io.reactiveinformer.view;

import io.reactiveinformer.internal.SharedThreads;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * How one subscription receives changes. Settings are combined by {@link #and}:
 * {@code Delivery.every(256).and(Delivery.on(scheduler)).and(Delivery.resync(ofMinutes(10)))}. Immutable.
 *
 * <p>Do not block on the shared threads (see {@code Delivery.scheduler()}). A subscriber or handler that blocks there receives nothing
 * until it returns. The other subscribers on its thread wait for up to a second, then continue on {@code Schedulers.boundedElastic()} while
 * that has free threads. To block, choose a scheduler that allows it: {@code Delivery.on(Schedulers.boundedElastic())}. The cache and its
 * connections wait for no subscriber, unless its scheduler runs tasks on the calling thread, as {@code Schedulers.immediate()} does.
 */
public final class Delivery {

    private static final Delivery CONFLATED = new Delivery(null, 0, null, false, "");

    private final @Nullable Scheduler scheduler;
    private final int limit;
    private final @Nullable Duration resyncPeriod;
    private final boolean partial;
    private final String name;

    private Delivery(@Nullable Scheduler scheduler, int limit, @Nullable Duration resyncPeriod, boolean partial, String name) {
        this.scheduler = scheduler;
        this.limit = limit;
        this.resyncPeriod = resyncPeriod;
        this.partial = partial;
        this.name = name;
    }

    /**
     * The default delivery: conflated, on one of the {@linkplain #scheduler shared threads}. A subscriber that is slower than the
     * changes receives the newest state of each row, not each state between. If every state counts, use {@link #every}.
     */
    public static Delivery conflated() {
        return CONFLATED;
    }

    /**
     * Delivers on a worker of {@code scheduler}, which is also the clock of {@link #resync}. If the scheduler runs a task on the thread
     * that schedules it, as {@code Schedulers.immediate()} does, the subscriber is called on the thread that publishes the changes: the
     * cache and all other subscribers wait until it returns.
     */
    public static Delivery on(Scheduler scheduler) {
        return new Delivery(Objects.requireNonNull(scheduler, "scheduler"), 0, null, false, "");
    }

    /**
     * Delivers every state of each row, in order, instead of the latest only. A subscription for which more than {@code limit} changes wait
     * fails with {@link BacklogOverflowException}. The rows at the beginning, and those that one list of the server changes at once, do not
     * count; lists alone fail a subscription only if several of them wait and together changed more than 65,536 rows and more than four
     * times the rows that there are.
     *
     * @throws IllegalArgumentException if {@code limit} is less than 1
     */
    public static Delivery every(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("at least 1 change must be allowed to wait, was " + limit);
        }
        return new Delivery(null, limit, null, false, "");
    }

    /**
     * Emits each row again after each {@code period}, as {@link Change.Updated} from itself to itself. A row that has a waiting change is
     * emitted once; so is a row that still waits since the period before. Sends no request to the server.
     *
     * @throws IllegalArgumentException if {@code period} is zero or negative
     */
    public static Delivery resync(Duration period) {
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("a resync period must be longer than zero, was " + period);
        }
        return new Delivery(null, 0, period, false, "");
    }

    /** Delivers rows even before they are complete. {@link Change.Synced} is still emitted only after the first complete state. */
    public static Delivery partial() {
        return new Delivery(null, 0, null, true, "");
    }

    /**
     * Names the subscription in {@link View#subscribers}, and so in metrics, by its purpose, such as {@code gateway-routes}. Need not be
     * unique.
     */
    public static Delivery named(String name) {
        return new Delivery(null, 0, null, false, Objects.requireNonNull(name, "name"));
    }

    /** Combines this with {@code other}. Where both set the same thing, the value of {@code other} wins. */
    public Delivery and(Delivery other) {
        return new Delivery(
                other.scheduler == null ? scheduler : other.scheduler,
                other.limit == 0 ? limit : other.limit,
                other.resyncPeriod == null ? resyncPeriod : other.resyncPeriod,
                partial || other.partial,
                other.name.isEmpty() ? name : other.name);
    }

    String name() {
        return name;
    }

    /**
     * The scheduler set by {@link #on}, else the shared threads: workers of {@code Schedulers.parallel()}. If a subscriber blocks such a
     * thread, the others that wait for it continue on {@code Schedulers.boundedElastic()} after about a second. For your own
     * implementations of {@link View}: call this at each subscription, so that virtual time takes effect.
     */
    public Scheduler scheduler() {
        return scheduler == null ? SharedThreads.ofChanges() : scheduler;
    }

    <K, T> Backlog<K, T, Change<K, T>> backlog() {
        return limit == 0 ? new ConflatedBacklog<>(partial) : new EveryBacklog<>(limit, partial);
    }

    /** Runs {@code resync} after each period, until {@code worker} is disposed; not at all if no period is set. */
    void scheduleResync(Scheduler.Worker worker, Runnable resync) {
        if (resyncPeriod != null) {
            worker.schedulePeriodically(resync, resyncPeriod.toNanos(), resyncPeriod.toNanos(), TimeUnit.NANOSECONDS);
        }
    }
}
