package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/**
 * An event of a watch, in the order in which the server sent it. An ERROR event, with which the server refuses in mid-stream, is not among
 * them: it fails the watch with a {@link StatusException}.
 */
public sealed interface WatchEvent<T> {

    /** The version from which a watch can resume after this event; null if the event has none. */
    @Nullable String resourceVersion();

    /** The server accepted the watch. Always the first event; no object has been received yet. */
    record Opened<T>() implements WatchEvent<T> {

        @Override
        public @Nullable String resourceVersion() {
            return null;
        }
    }

    /** The object now exists, or now matches the selector. */
    record Added<T>(ObjectKey key, Versioned<T> entry) implements WatchEvent<T> {

        @Override
        public @Nullable String resourceVersion() {
            return entry.resourceVersion();
        }
    }

    /** The object has changed, and still matches the selector. */
    record Modified<T>(ObjectKey key, Versioned<T> entry) implements WatchEvent<T> {

        @Override
        public @Nullable String resourceVersion() {
            return entry.resourceVersion();
        }
    }

    /**
     * The object no longer exists, or no longer matches the selector. It is in the state in which it last matched; the version is that of
     * the change, from which a watch may resume.
     */
    record Deleted<T>(ObjectKey key, Versioned<T> entry) implements WatchEvent<T> {

        @Override
        public @Nullable String resourceVersion() {
            return entry.resourceVersion();
        }
    }

    /**
     * Nothing up to this version is missing.
     *
     * @param initialEventsEnd whether this ends the initial events of a streaming list
     */
    record Bookmark<T>(String resourceVersion, boolean initialEventsEnd) implements WatchEvent<T> {}

    /**
     * Something happened to an object, but its state cannot be read.
     *
     * @param key null if not even that could be read
     * @param uid null if not even that could be read
     * @param resourceVersion null if not even that could be read: then there may be a gap before the next event
     * @param deleted whether the event said that the object is gone
     */
    record Unreadable<T>(
            @Nullable ObjectKey key,
            @Nullable String uid,
            @Nullable String resourceVersion,
            boolean deleted,
            UnreadableObjectException failure)
            implements WatchEvent<T> {}
}
