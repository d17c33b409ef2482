package io.reactiveinformer.view;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How one subscription receives changes. Wishes add up:
 * {@code Delivery.every(256).and(Delivery.on(scheduler)).and(Delivery.resync(ofMinutes(10)))}.
 *
 * <p>Do not block on the shared threads ({@code Delivery.sharedThreads()}). A subscriber or handler that blocks there receives nothing until it
 * returns, and the others on its thread wait for up to a second, then go on on {@code Schedulers.boundedElastic()} while that has free threads. To
 * block, ask for a scheduler that allows it: {@code Delivery.on(Schedulers.boundedElastic())}. The cache and its connections wait for no subscriber,
 * unless its scheduler runs tasks on the calling thread, as {@code Schedulers.immediate()} does.
 */
public final class Delivery {

    /**
     * A thread for each subscriber that blocks, and for the others that go on here as many as run at once. They begin when they are needed, and
     * end when they have been idle for a minute.
     */
    private static final class Status {
        static final Scheduler THREADS = Schedulers.fromExecutor(
                new ThreadPoolExecutor(0, Integer.MAX_VALUE, 60, TimeUnit.SECONDS, new SynchronousQueue<>(), Status::thread), true); // one by one

        private static Thread thread(Runnable work) {
            var thread = new Thread(work, "informer-status");
            thread.setDaemon(true);
            return thread;
        }
    }

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
     * Conflated, on one of the {@linkplain #sharedThreads shared threads}: a subscriber that is slower than the changes receives the newest state of each
     * row, not each state between. Where each one counts, ask for {@link #every}.
     */
    public static Delivery conflated() {
        return CONFLATED;
    }

    /**
     * On a worker of {@code scheduler}, which also tells the time of {@link #resync}. One that runs a task on the thread that asks for it, as
     * {@code Schedulers.immediate()} does, has the subscriber called by whoever tells of changes: what it takes there, the cache and all other
     * subscribers wait for.
     */
    public static Delivery on(Scheduler scheduler) {
        return new Delivery(Objects.requireNonNull(scheduler, "scheduler"), 0, null, false, "");
    }

    /**
     * Every state of each row, in order, instead of the latest only. A subscription for which more than {@code limit} changes wait fails with
     * {@link BacklogOverflowException}. What is there at the beginning, and what lists of the server change at once, does not count; lists alone end a
     * subscription only where several that wait changed more than 65,536 rows, and four times as many as there are.
     */
    public static Delivery every(int limit) {
        if (limit < 1) {
            throw new IllegalArgumentException("at least 1 change must be allowed to wait, was " + limit);
        }
        return new Delivery(null, limit, null, false, "");
    }

    /**
     * Each row again after each {@code period}, as {@link Change.Updated} from itself to itself. A row of which a change waits is emitted once; so is one that
     * still waits for the period before. Asks the server nothing.
     */
    public static Delivery resync(Duration period) {
        if (period.isNegative() || period.isZero()) {
            throw new IllegalArgumentException("a resync period must be longer than zero, was " + period);
        }
        return new Delivery(null, 0, period, false, "");
    }

    /** What is there, even before it is complete. {@link Change.Synced} still comes when the first complete state has been told. */
    public static Delivery partial() {
        return new Delivery(null, 0, null, true, "");
    }

    /** By {@code name} in {@link View#subscribers}, and so in metrics: what the subscriber is for, such as {@code gateway-routes}. Need not be unique. */
    public static Delivery named(String name) {
        return new Delivery(null, 0, null, false, Objects.requireNonNull(name, "name"));
    }

    /** Both; where both say the same thing differently, {@code other} counts. */
    public Delivery and(Delivery other) {
        return new Delivery(
                other.scheduler == null ? scheduler : other.scheduler,
                other.limit == 0 ? limit : other.limit,
                other.resyncPeriod == null ? resyncPeriod : other.resyncPeriod,
                partial || other.partial,
                other.name.isEmpty() ? name : other.name);
    }

    /**
     * Where changes are delivered unless a delivery says otherwise: workers of {@code Schedulers.parallel()}. Where such a thread is blocked by a
     * subscriber, the others that wait for it go on on {@code Schedulers.boundedElastic()} within a second or so. To be looked up at each
     * subscription, so that virtual time is seen.
     */
    public static Scheduler sharedThreads() {
        return new SharedThreads(Schedulers::boundedElastic);
    }

    /**
     * Where statuses are delivered: as {@link #sharedThreads}, but those that wait too long go on on threads that no subscriber to changes can
     * occupy, however many of them block. A subscriber to a status that blocks costs one of these threads, and nobody else waits for it; at rest
     * there is none.
     */
    public static Scheduler statusThreads() {
        return new SharedThreads(() -> Status.THREADS);
    }

    String name() {
        return name;
    }

    /** Where this delivers: what {@link #on} said, else the {@linkplain #sharedThreads shared threads}. For views of your own. */
    public Scheduler scheduler() {
        return scheduler == null ? sharedThreads() : scheduler;
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
