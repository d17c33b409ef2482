package io.reactiveinformer.informer;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Known states for objects that are changed after they were decoded: the objects share no parts, and are distinguished from cached ones.
 * One instance for each list or watch.
 */
final class Unshared<T> extends ForwardingKnown<T> {

    private final Map<ObjectKey, Versioned<T>> found = new ConcurrentHashMap<>();

    Unshared(Known<T> known) {
        super(known);
    }

    @Override
    public @Nullable Versioned<T> find(ObjectKey key) {
        Versioned<T> held = known.find(key);
        if (held == null) {
            found.remove(key);
        } else {
            found.put(key, held);
        }
        return held;
    }

    /**
     * The cached state with the version of {@code entry}; null if there is none. If {@code entry} is a state that {@link #find} has
     * returned, it is returned even if it is not cached any more.
     */
    @SuppressWarnings("ReferenceEquality") // an entry that was decoded again is equal, but not transformed
    @Nullable Versioned<T> held(ObjectKey key, Versioned<T> entry) {
        if (found.remove(key) == entry) {
            return entry;
        }
        Versioned<T> held = known.find(key);
        return held != null && held.sameVersion(entry) ? held : null;
    }

    /** Forgets {@code key}, as its new state cannot be read. */
    void forget(@Nullable ObjectKey key) {
        if (key != null) {
            found.remove(key);
        }
    }

    @Override
    public boolean shares() {
        return false;
    }
}
