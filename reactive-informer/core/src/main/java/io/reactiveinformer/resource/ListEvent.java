package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/** An event of one page of a list, as it arrives: items in the server's order, then the end, exactly once. */
public sealed interface ListEvent<T> {

    /** An object of the list. */
    record Item<T>(ObjectKey key, Versioned<T> entry) implements ListEvent<T> {}

    /**
     * An object of the list whose state cannot be read.
     *
     * @param uid null if not even that could be read
     * @param resourceVersion null if not even that could be read
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
