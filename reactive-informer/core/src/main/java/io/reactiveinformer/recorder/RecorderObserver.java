package io.reactiveinformer.recorder;

import io.reactiveinformer.resource.KubernetesException;
import org.jspecify.annotations.Nullable;

/** Hears what becomes of Events, for metrics. Called by who records and on the recorder's workers; must return at once, and must not throw. */
public interface RecorderObserver {

    /** Hears nothing. */
    RecorderObserver NONE = new RecorderObserver() {};

    /** Why an Event was not written. */
    enum Drop {
        /** Too many wait already. */
        FULL,
        /** There were too many new ones about its object. */
        SPAM,
        /** The server does not want it. */
        REFUSED,
        /** No answer, too often. */
        GIVEN_UP,
        /** The recorder was closed before. */
        CLOSED
    }

    /** An Event was created or its series written; {@code count} is how often it has happened. */
    default void written(Occurrence first, int count) {}

    /**
     * An Event was dropped.
     *
     * @param times how often it had happened without that being written
     * @param cause what the server said, or what became of the last try; null where nothing was sent
     */
    default void dropped(Occurrence occurrence, int times, Drop why, @Nullable KubernetesException cause) {}
}
