package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/**
 * An event of one page of a list, as it arrives: the items in the server's order, then one {@link End}.
 *
 * @param <T> the objects
 */
public sealed interface ListEvent<T> {

    /**
     * An object of the list.
     *
     * @param key the key of the object
     * @param entry the object with its version
     */
    record Item<T>(ObjectKey key, Versioned<T> entry) implements ListEvent<T> {}

    /**
     * An object of the list whose state cannot be read.
     *
     * @param key the key of the object
     * @param uid the uid; null if it could not be read either
     * @param resourceVersion the version; null if it could not be read either
     * @param failure what could not be read
     */
    record Unreadable<T>(ObjectKey key, @Nullable String uid, @Nullable String resourceVersion, UnreadableObjectException failure)
            implements ListEvent<T> {}

    /**
     * The page is complete.
     *
     * @param resourceVersion the version of the whole list, the same for each of its pages
     * @param continueToken the token that requests the next page; null on the last page
     */
    record End<T>(String resourceVersion, @Nullable String continueToken) implements ListEvent<T> {}
}
