package io.reactiveinformer.queue;

import java.time.Duration;

/** Hears of what a queue does, for metrics. Called by who adds and who works; must return at once, and must not throw. */
public interface WorkQueueObserver {

    /** Hears nothing. */
    WorkQueueObserver NONE = new WorkQueueObserver() {};

    /** A key that was not in line has been added, or is to be worked on once more. */
    default void added() {}

    /**
     * A key's work has begun.
     *
     * @param waited since it was added
     */
    default void taken(Duration waited) {}

    /** A key's work is over, or was cancelled. */
    default void finished(Duration took) {}

    /** A key has failed and will be tried again after {@code delay}. */
    default void retried(Duration delay) {}
}
