package io.reactiveinformer.queue;

import java.time.Duration;

/**
 * Observes a queue, for metrics: the number of keys in line is what was {@link #added}, less what was {@link #taken} and {@link #dropped}.
 * Called on the threads that add keys and that work, so it must return at once. What it throws is caught, logged the first time, and
 * affects no key.
 */
public interface WorkQueueObserver {

    /** Ignores everything. */
    WorkQueueObserver NONE = new WorkQueueObserver() {};

    /** A key has become one to be worked on: added, due, given back, or added again while it is worked on. */
    default void added() {}

    /**
     * A key was taken to be worked on.
     *
     * @param waited the time since it got into line
     */
    default void taken(Duration waited) {}

    /**
     * A key's work has ended, or was cancelled.
     *
     * @param took the time since it was taken
     */
    default void finished(Duration took) {}

    /** A key has failed and will be tried again after {@code delay}. */
    default void retried(Duration delay) {}

    /**
     * Keys were dropped, as the queue was shut down.
     *
     * @param keys the number of dropped keys that were reported as {@link #added}
     * @param delayed the number of dropped delays, which were not
     */
    default void dropped(int keys, int delayed) {}
}
