package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.Objects;
import java.util.function.Function;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How a queue orders and paces its keys.
 *
 * @param limiter makes what says when a key that failed is tried again, by the time of the queue's timer
 * @param classes of what class a key is: those of which keys wait are served in turn, so that none starves another. All of one class unless set
 * @param headStart a key goes before those of a priority one lower that were added up to this much before it, and not before older ones: so a
 *     low priority is served in the end
 * @param workers where work is subscribed to
 * @param timer tells the time, and when a delay is over
 */
public record WorkQueueOptions<K>(
        Function<? super Scheduler, ? extends RateLimiter<K>> limiter,
        Function<? super K, ?> classes,
        Duration headStart,
        Scheduler workers,
        Scheduler timer,
        WorkQueueObserver observer) {

    /** Far more than a queue that keeps up needs for all its keys; few enough that an hour's flood of urgent keys delays the others by seconds. */
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

    /** {@link RateLimiter#standard(Scheduler)}, one class, a head start of 10 s, work on {@code Schedulers.parallel()}. */
    public static <K> WorkQueueOptions<K> defaults() {
        return new WorkQueueOptions<>(
                RateLimiter::standard, key -> "all", HEAD_START, Schedulers.parallel(), Schedulers.single(), WorkQueueObserver.NONE);
    }

    /** With this one, which tells the time as it was made to; queues with the same one count together. */
    public WorkQueueOptions<K> withLimiter(RateLimiter<K> other) {
        return new WorkQueueOptions<>(clock -> other, classes, headStart, workers, timer, observer);
    }

    public WorkQueueOptions<K> withClasses(Function<? super K, ?> other) {
        return new WorkQueueOptions<>(limiter, other, headStart, workers, timer, observer);
    }

    public WorkQueueOptions<K> withHeadStart(Duration other) {
        return new WorkQueueOptions<>(limiter, classes, other, workers, timer, observer);
    }

    public WorkQueueOptions<K> withWorkers(Scheduler other) {
        return new WorkQueueOptions<>(limiter, classes, headStart, other, timer, observer);
    }

    public WorkQueueOptions<K> withTimer(Scheduler other) {
        return new WorkQueueOptions<>(limiter, classes, headStart, workers, other, observer);
    }

    public WorkQueueOptions<K> withObserver(WorkQueueObserver other) {
        return new WorkQueueOptions<>(limiter, classes, headStart, workers, timer, other);
    }
}
