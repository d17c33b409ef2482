package io.reactiveinformer.recorder;

import io.reactiveinformer.resource.KubernetesException;
import org.jspecify.annotations.Nullable;

/**
 * Observes a recorder, for metrics. Called on the threads that record or close, and on the recorder's workers, so it must return at once.
 * What it throws is caught and logged the first time.
 */
public interface RecorderObserver {

    /** Ignores everything. */
    RecorderObserver NONE = new RecorderObserver() {};

    /** Why an Event was not written. */
    enum Drop {
        /** Too many Events waited to be written. */
        FULL,
        /** Too many new Events were about the same object. */
        SPAM,
        /** The server refused it. */
        REFUSED,
        /** Too many tries got no answer. */
        GIVEN_UP,
        /** The recorder was closed before it was written. */
        CLOSED
    }

    /**
     * An Event was created, or its count written.
     *
     * @param first the first occurrence of the series
     * @param count the number of occurrences that was written
     */
    default void written(Occurrence first, int count) {}

    /**
     * An Event was dropped.
     *
     * @param times the number of occurrences that were not written
     * @param cause the server's answer, or the failure of the last try; null if nothing was sent, or the failure was no
     *     {@link KubernetesException}
     */
    default void dropped(Occurrence occurrence, int times, Drop why, @Nullable KubernetesException cause) {}
}
