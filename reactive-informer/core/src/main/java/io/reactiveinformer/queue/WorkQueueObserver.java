package io.reactiveinformer.queue;

import java.time.Duration;

/**
 * Hears of what a queue does, for metrics: how many keys are in line is what was {@link #added}, less what was {@link #taken} and {@link #dropped}.
 * Called by who adds and who works and must return at once. What it throws is logged,
 * the first time, and harms no key.
 */
public interface WorkQueueObserver {

    /** Hears nothing. */
    WorkQueueObserver NONE = new WorkQueueObserver() {};

    /** A key is to be worked on that was not: added, due, given back, or wanted once more while it is worked on. */
    default void added() {}

    /**
     * A key's work has begun.
     *
     * @param waited since it got into line
     */
    default void taken(Duration waited) {}

    /** A key's work is over, or was cancelled. */
    default void finished(Duration took) {}

    /** A key has failed and will be tried again after {@code delay}. */
    default void retried(Duration delay) {}

    /**
     * Keys will not be worked on, as the queue was shut down.
     *
     * @param keys that were told as {@link #added}
     * @param delayed that were not, as their delay was not over
     */
    default void dropped(int keys, int delayed) {}
}
