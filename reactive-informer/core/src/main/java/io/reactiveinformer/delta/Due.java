package io.reactiveinformer.delta;

import org.jspecify.annotations.Nullable;

/**
 * What is next in line.
 *
 * @param completeTo the version up to which nothing of its scope is missing once it is told; null where that is not known
 */
record Due<T>(News<T> news, @Nullable String completeTo) {

    /** What has to change in what is {@code known}; null if nothing. */
    @Nullable Delta<T> against(Known<T> known) {
        return news.against(known, completeTo);
    }
}
