package io.reactiveinformer.informer;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.Versioned;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Distinguishes objects that are changed after they were decoded, and share no parts, from cached ones. One instance for each list or
 * watch.
 */
final class Unshared<T> {

    private final Reading<T> cached;
    private final Map<ObjectKey, Versioned<T>> found = new ConcurrentHashMap<>();

    Unshared(Reading<T> cached) {
        this.cached = cached;
    }

    Reading<T> reading() {
        return new Reading<>(this::find, cached.wanted(), false);
    }

    private @Nullable Versioned<T> find(ObjectKey key) {
        Versioned<T> held = cached.find(key);
        if (held == null) {
            found.remove(key);
        } else {
            found.put(key, held);
        }
        return held;
    }

    /**
     * The cached state with the version of {@code entry}; null if there is none. If {@code entry} is a state that was found
     * for the decoder, it is returned even if it is not cached any more.
     */
    @SuppressWarnings("ReferenceEquality") // an entry that was decoded again is equal, but not transformed
    @Nullable Versioned<T> held(ObjectKey key, Versioned<T> entry) {
        if (found.remove(key) == entry) {
            return entry;
        }
        Versioned<T> held = cached.find(key);
        return held != null && held.sameVersion(entry) ? held : null;
    }

    /** Forgets {@code key}, as its new state cannot be read. */
    void forget(@Nullable ObjectKey key) {
        if (key != null) {
            found.remove(key);
        }
    }
}
