package io.reactiveinformer.delta;

import org.jspecify.annotations.Nullable;

/**
 * The next entry of the queue.
 *
 * @param completeTo the version up to which nothing of its part is missing once it is delivered; null if that is not known
 */
record Due<T>(News<T> news, @Nullable String completeTo) {

    /** The change that {@code known} needs; null if none. */
    @Nullable Delta<T> against(Known<T> known) {
        return news.against(known, completeTo);
    }
}
