package io.reactiveinformer.client;

import io.reactiveinformer.resource.Selector;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a watch. A {@code with} method gives a copy that differs in one thing.
 *
 * @param selector the objects that are watched
 * @param resourceVersion the version after which changes are sent, as a server sent it; null for the existing objects first, then changes
 * @param timeout after which the server ends the watch, at least 1 s; sent in whole seconds, rounded up
 * @param bookmarks whether the server sends bookmarks: its version while no object changes
 * @param initialEvents whether the complete state is sent first, ended by a bookmark (a streaming list); needs {@code bookmarks}
 */
public record WatchOptions(
        Selector selector, @Nullable String resourceVersion, Duration timeout, boolean bookmarks, boolean initialEvents) {

    /**
     * @throws IllegalArgumentException if {@code timeout} is less than 1 s, or {@code initialEvents} are requested without
     *     {@code bookmarks}
     */
    public WatchOptions {
        if (timeout.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("a watch's timeout must be at least 1s, was " + timeout);
        }
        if (initialEvents && !bookmarks) {
            throw new IllegalArgumentException("initialEvents needs bookmarks: the end of the initial events is a bookmark");
        }
    }

    /**
     * Changes after {@code resourceVersion}, with bookmarks.
     *
     * @throws IllegalArgumentException if {@code timeout} is less than 1 s
     */
    public static WatchOptions from(String resourceVersion, Duration timeout) {
        return new WatchOptions(Selector.any(), resourceVersion, timeout, true, false);
    }

    /**
     * The complete state, not older than {@code resourceVersion} (null for the most recent), then changes, with bookmarks.
     *
     * @throws IllegalArgumentException if {@code timeout} is less than 1 s
     */
    public static WatchOptions streamingList(@Nullable String resourceVersion, Duration timeout) {
        return new WatchOptions(Selector.any(), resourceVersion, timeout, true, true);
    }

    /** A copy for the objects that {@code other} matches, instead of the selector so far. */
    public WatchOptions withSelector(Selector other) {
        return new WatchOptions(other, resourceVersion, timeout, bookmarks, initialEvents);
    }
}
