package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/** What one page of a list says, as it arrives: items in the server's order, then its end, exactly once. */
public sealed interface ListEvent<T> {

    record Item<T>(ObjectKey key, Versioned<T> entry) implements ListEvent<T> {}

    /** An item is there, but its state cannot be read. */
    record Unreadable<T>(ObjectKey key, @Nullable String uid, @Nullable String resourceVersion, UnreadableObjectException failure)
            implements ListEvent<T> {}

    /**
     * The page is complete.
     *
     * @param resourceVersion of the whole list, the same for each of its pages
     * @param continueToken asks for the next page; null on the last
     */
    record End<T>(String resourceVersion, @Nullable String continueToken) implements ListEvent<T> {}
}
