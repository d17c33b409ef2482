package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/**
 * What a watch says, in the order in which it happened. The server's refusal in mid-stream (an ERROR event) is not among them: it fails the
 * watch with a {@link StatusException}.
 */
public sealed interface WatchEvent<T> {

    /** From where a watch goes on after this; null where it does not say so. */
    @Nullable String resourceVersion();

    /** The server accepted the watch. Always the first; nothing has been heard of any object yet. */
    record Opened<T>() implements WatchEvent<T> {

        @Override
        public @Nullable String resourceVersion() {
            return null;
        }
    }

    /** Now exists, or now matches the selector. */
    record Added<T>(ObjectKey key, Versioned<T> entry) implements WatchEvent<T> {

        @Override
        public @Nullable String resourceVersion() {
            return entry.resourceVersion();
        }
    }

    record Modified<T>(ObjectKey key, Versioned<T> entry) implements WatchEvent<T> {

        @Override
        public @Nullable String resourceVersion() {
            return entry.resourceVersion();
        }
    }

    /**
     * No longer exists, or no longer matches the selector. The object is as it was when it last matched; the version is that of the change,
     * from which a watch may resume.
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
     * @param key null where not even that could be read
     * @param resourceVersion null where not even that could be read: then what follows may have a gap before it
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
