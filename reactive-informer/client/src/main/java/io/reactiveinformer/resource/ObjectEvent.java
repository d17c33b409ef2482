package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/**
 * An event of a list or of a watch, in the order in which the server sent them. A page of a list consists of {@link Applied} and
 * {@link Unreadable}, and one {@link PageEnd}. A watch begins with {@link Opened}, and never has a {@code PageEnd}. An ERROR event, with
 * which the server ends a watch, is not among these: it fails the watch with a {@link StatusException}.
 *
 * @param <T> the objects
 */
public sealed interface ObjectEvent<T> {

    /** The key of the object; null if the event is about none, or if the key could not be read. */
    default @Nullable ObjectKey key() {
        return null;
    }

    /** The object with its version; null if the event is about none, or if the state could not be read. */
    default @Nullable Versioned<T> entry() {
        return null;
    }

    /** The uid of the object; null if the event is about none, or if the uid could not be read. */
    default @Nullable String uid() {
        Versioned<T> entry = entry();
        return entry == null ? null : entry.uid();
    }

    /** The version of the object, of the bookmark, or of the list. A watch can resume from that of its events. Null if it has none. */
    default @Nullable String resourceVersion() {
        Versioned<T> entry = entry();
        return entry == null ? null : entry.resourceVersion();
    }

    /** Whether the object no longer exists, or no longer matches the selector. */
    default boolean deleted() {
        return false;
    }

    /** The server accepted the watch. Always the first event of one; no object has been received yet. */
    record Opened<T>() implements ObjectEvent<T> {}

    /**
     * The object exists, and matches the selector.
     *
     * @param key the key of the object
     * @param entry the object with its version
     * @param modified whether a watch reported a change of an object that had matched before; false for an object that now exists, or now
     *     matches, and for all objects of a list. After an interruption the two cannot be distinguished
     */
    record Applied<T>(ObjectKey key, Versioned<T> entry, boolean modified) implements ObjectEvent<T> {

        /** Of an object of a list, or one that now exists or now matches. */
        public Applied(ObjectKey key, Versioned<T> entry) {
            this(key, entry, false);
        }
    }

    /**
     * The object no longer exists, or no longer matches the selector. The object is in the state in which it last matched; its version is
     * that of the change, from which a watch may resume.
     *
     * @param key the key of the object
     * @param entry the last matching state, with the version of the change
     */
    record Deleted<T>(ObjectKey key, Versioned<T> entry) implements ObjectEvent<T> {

        @Override
        public boolean deleted() {
            return true;
        }
    }

    /**
     * The object has a state that cannot be read. In a list, it counts as present.
     *
     * @param key the key; null if it could not be read either, which happens in a watch only
     * @param uid the uid; null if it could not be read either
     * @param resourceVersion the version; null if it could not be read either: then the changes up to the next event of a watch may be
     *     incomplete
     * @param deleted whether the event was a deletion
     * @param failure what could not be read
     */
    record Unreadable<T>(
            @Nullable ObjectKey key,
            @Nullable String uid,
            @Nullable String resourceVersion,
            boolean deleted,
            UnreadableObjectException failure)
            implements ObjectEvent<T> {}

    /**
     * All changes up to this version were sent.
     *
     * @param resourceVersion the version from which a watch can resume
     * @param initialEventsEnd whether this ends the initial events of a streaming list
     */
    record Bookmark<T>(String resourceVersion, boolean initialEventsEnd) implements ObjectEvent<T> {}

    /**
     * The page of a list is complete.
     *
     * @param resourceVersion the version of the whole list, the same for each of its pages
     * @param continueToken the token that requests the next page; null on the last page
     */
    record PageEnd<T>(String resourceVersion, @Nullable String continueToken) implements ObjectEvent<T> {}
}
