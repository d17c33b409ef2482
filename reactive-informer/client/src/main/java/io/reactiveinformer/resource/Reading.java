package io.reactiveinformer.resource;

import java.util.function.BiPredicate;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * How the objects of a list or watch are read: which are wanted, and what need not be decoded again. The functions are called on the thread
 * that reads; they must not block.
 *
 * @param cached the cached state of a key; null if there is none. An object that arrives in the same uid and version is not decoded again:
 *     the cached entry itself is emitted. If {@code shares}, another state may share equal parts with it, so it must never change
 * @param wanted whether an object is wanted, by its key and its uid, which is null if it could not be read; others are skipped, if possible
 *     before they are decoded. Null if all are
 * @param shares whether objects may share equal parts, with others and within themselves. Otherwise each can be changed after it was read,
 *     except for its collections, and shares only immutable values
 */
public record Reading<T>(
        Function<ObjectKey, @Nullable Versioned<T>> cached,
        @Nullable BiPredicate<ObjectKey, @Nullable String> wanted,
        boolean shares) {

    /** All objects, of which none is cached. They may share parts. */
    public static <T> Reading<T> anew() {
        return of(key -> null);
    }

    /** All objects, of which none is cached. Each one belongs to its receiver, which may change it. */
    public static <T> Reading<T> unshared() {
        return new Reading<>(key -> null, null, false);
    }

    /** All objects, which may share parts with those that are cached and with each other. */
    public static <T> Reading<T> of(Function<ObjectKey, @Nullable Versioned<T>> cached) {
        return new Reading<>(cached, null, true);
    }

    /** A copy without the objects for which {@code other} is false. */
    public Reading<T> only(BiPredicate<ObjectKey, @Nullable String> other) {
        return new Reading<>(cached, wanted == null ? other : wanted.and(other), shares);
    }

    /** The cached state of {@code key}; null if there is none. */
    public @Nullable Versioned<T> find(ObjectKey key) {
        return cached.apply(key);
    }
}
