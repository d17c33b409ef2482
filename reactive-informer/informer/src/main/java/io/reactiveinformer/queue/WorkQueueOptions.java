package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How a queue orders and paces its keys. A {@code with} method returns a copy with one option changed.
 *
 * @param <K> the keys
 * @param limiter creates the {@link RateLimiter} that decides when a failed key is tried again; it gets the timer of the queue as its clock
 * @param classes maps a key to its class, not null. Classes with waiting keys take turns, so that none starves another. All keys are of one
 *     class unless set
 * @param headStart a key precedes keys of the next lower priority that got into line at most this much earlier, and follows older ones: so
 *     a low priority does not starve
 * @param workers the threads on which work is subscribed to; the work must not block them
 * @param timer measures time, and ends delays
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
     * Longer than a queue that keeps up needs for all its keys, but so short that an hour of urgent keys delays the others by seconds only.
     */
    private static final Duration HEAD_START = Duration.ofSeconds(10);

    /** @throws IllegalArgumentException if {@code headStart} is zero or negative */
    public WorkQueueOptions {
        Objects.requireNonNull(limiter, "limiter");
        Objects.requireNonNull(classes, "classes");
        Objects.requireNonNull(workers, "workers");
        Objects.requireNonNull(timer, "timer");
        Objects.requireNonNull(observer, "observer");
        if (headStart.isNegative() || headStart.isZero()) {
            throw new IllegalArgumentException("headStart must be longer than zero, or priorities have no effect; was " + headStart);
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

    /** A copy with this limiter, which keeps its own clock. Queues with the same limiter share its counts. */
    public WorkQueueOptions<K> withLimiter(RateLimiter<K> other) {
        return new WorkQueueOptions<>(clock -> other, classes, headStart, workers, timer, observer);
    }

    /** A copy with these {@link #classes}; the function must not return null. */
    public WorkQueueOptions<K> withClasses(Function<? super K, ?> other) {
        return new WorkQueueOptions<>(limiter, other, headStart, workers, timer, observer);
    }

    /**
     * A copy with this {@link #headStart}.
     *
     * @throws IllegalArgumentException if zero or negative
     */
    public WorkQueueOptions<K> withHeadStart(Duration other) {
        return new WorkQueueOptions<>(limiter, classes, other, workers, timer, observer);
    }

    /** A copy with these {@link #workers}. */
    public WorkQueueOptions<K> withWorkers(Scheduler other) {
        return new WorkQueueOptions<>(limiter, classes, headStart, other, timer, observer);
    }

    /** A copy with this {@link #timer}. */
    public WorkQueueOptions<K> withTimer(Scheduler other) {
        return new WorkQueueOptions<>(limiter, classes, headStart, workers, other, observer);
    }

    /** A copy with this {@link #observer}, which replaces the present one. */
    public WorkQueueOptions<K> withObserver(WorkQueue.Observer other) {
        return new WorkQueueOptions<>(limiter, classes, headStart, workers, timer, other);
    }
}
