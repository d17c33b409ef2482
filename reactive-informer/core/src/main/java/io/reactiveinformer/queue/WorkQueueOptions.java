package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How a queue orders and paces its keys.
 *
 * @param limiter creates the {@link RateLimiter} that decides when a failed key is tried again, with the queue's timer as clock
 * @param classes maps a key to its class, not null: classes with waiting keys take turns, so that none starves another. All of one class
 *     unless set
 * @param headStart a key goes before those of a priority one lower that got into line up to this much before it, and not before older ones:
 *     so a low priority is served in the end
 * @param workers where work is subscribed to
 * @param timer the clock, and the timer of delays
 * @param observer for metrics
 */
public record WorkQueueOptions<K>(
        Function<? super Scheduler, ? extends RateLimiter<K>> limiter,
        Function<? super K, ?> classes,
        Duration headStart,
        Scheduler workers,
        Scheduler timer,
        WorkQueue.Observer observer) {

    /**
     * Longer than a queue that keeps up needs for all its keys; so short that an hour's flood of urgent keys delays the others by seconds
     * only.
     */
    private static final Duration HEAD_START = Duration.ofSeconds(10);

    public WorkQueueOptions {
        Objects.requireNonNull(limiter, "limiter");
        Objects.requireNonNull(classes, "classes");
        Objects.requireNonNull(workers, "workers");
        Objects.requireNonNull(timer, "timer");
        Objects.requireNonNull(observer, "observer");
        if (headStart.isNegative() || headStart.isZero()) {
            throw new IllegalArgumentException("headStart must be longer than nothing, or a priority means nothing; was " + headStart);
        }
    }

    /**
     * {@link RateLimiter#standard(Scheduler)}, one class, a head start of 10 s, work on {@code Schedulers.parallel()}, the timer
     * {@code Schedulers.single()}, no observer.
     */
    public static <K> WorkQueueOptions<K> defaults() {
        return new WorkQueueOptions<>(
                RateLimiter::standard, key -> "all", HEAD_START, Schedulers.parallel(), Schedulers.single(), WorkQueue.Observer.NONE);
    }

    /** A copy with this limiter, which keeps its own clock; queues with the same limiter share its counts. */
    public WorkQueueOptions<K> withLimiter(RateLimiter<K> other) {
        return with(copy -> copy.limiter = clock -> other);
    }

    /** A copy with these {@link #classes}; the function must not return null. */
    public WorkQueueOptions<K> withClasses(Function<? super K, ?> other) {
        return with(copy -> copy.classes = other);
    }

    /**
     * A copy with this {@link #headStart}.
     *
     * @throws IllegalArgumentException if zero or negative
     */
    public WorkQueueOptions<K> withHeadStart(Duration other) {
        return with(copy -> copy.headStart = other);
    }

    /** A copy with these {@link #workers}. */
    public WorkQueueOptions<K> withWorkers(Scheduler other) {
        return with(copy -> copy.workers = other);
    }

    /** A copy with this {@link #timer}. */
    public WorkQueueOptions<K> withTimer(Scheduler other) {
        return with(copy -> copy.timer = other);
    }

    /** A copy with this {@link #observer}, which replaces the present one. */
    public WorkQueueOptions<K> withObserver(WorkQueue.Observer other) {
        return with(copy -> copy.observer = other);
    }

    private WorkQueueOptions<K> with(Consumer<Copy> change) {
        var copy = new Copy();
        change.accept(copy);
        return new WorkQueueOptions<>(copy.limiter, copy.classes, copy.headStart, copy.workers, copy.timer, copy.observer);
    }

    /** A copy that is still to be changed. */
    private final class Copy {
        Function<? super Scheduler, ? extends RateLimiter<K>> limiter = limiter();
        Function<? super K, ?> classes = classes();
        Duration headStart = headStart();
        Scheduler workers = workers();
        Scheduler timer = timer();
        WorkQueue.Observer observer = observer();
    }
}
