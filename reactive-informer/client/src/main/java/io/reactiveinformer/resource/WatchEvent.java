package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/**
 * An event of a watch, in the order in which the server sent them. An ERROR event, with which the server ends a watch, is not among these:
 * it fails the watch with a {@link StatusException}.
 *
 * @param <T> the objects
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

    /**
     * The object now exists, or now matches the selector.
     *
     * @param key the key of the object
     * @param entry the object with its version
     */
    record Added<T>(ObjectKey key, Versioned<T> entry) implements WatchEvent<T> {

        @Override
        public @Nullable String resourceVersion() {
            return entry.resourceVersion();
        }
    }

    /**
     * The object has changed, and still matches the selector.
     *
     * @param key the key of the object
     * @param entry the object with its version
     */
    record Modified<T>(ObjectKey key, Versioned<T> entry) implements WatchEvent<T> {

        @Override
        public @Nullable String resourceVersion() {
            return entry.resourceVersion();
        }
    }

    /**
     * The object no longer exists, or no longer matches the selector. The object is in the state in which it last matched; its version is
     * that of the change, from which a watch may resume.
     *
     * @param key the key of the object
     * @param entry the last matching state, with the version of the change
     */
    record Deleted<T>(ObjectKey key, Versioned<T> entry) implements WatchEvent<T> {

        @Override
        public @Nullable String resourceVersion() {
            return entry.resourceVersion();
        }
    }

    /**
     * All changes up to this version were sent.
     *
     * @param resourceVersion the version from which a watch can resume
     *
     * @param initialEventsEnd whether this ends the initial events of a streaming list
     */
    record Bookmark<T>(String resourceVersion, boolean initialEventsEnd) implements WatchEvent<T> {}

    /**
     * Something happened to an object, but its state cannot be read.
     *
     * @param key the key; null if it could not be read either
     * @param uid the uid; null if it could not be read either
     * @param resourceVersion the version; null if it could not be read either: then the changes up to the next event may be incomplete
     * @param deleted whether the event was a deletion
     * @param failure what could not be read
     */
    record Unreadable<T>(
            @Nullable ObjectKey key,
            @Nullable String uid,
            @Nullable String resourceVersion,
            boolean deleted,
            UnreadableObjectException failure)
            implements WatchEvent<T> {}
}
