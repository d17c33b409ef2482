package io.reactiveinformer.informer;

import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is known, where objects are changed after they were read: they share no parts, and are told from what was held before. One for each list or watch. */
final class Unshared<T> implements Known<T> {

    private final Known<T> known;
    private final Map<ObjectKey, Versioned<T>> found = new ConcurrentHashMap<>();

    Unshared(Known<T> known) {
        this.known = known;
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

    /** What is held in the state of the entry that comes now; that very entry, if it was found, even if it is held no longer. Null where nothing is. */
    @SuppressWarnings("ReferenceEquality") // what was read anew is equal, and not transformed
    @Nullable Versioned<T> held(ObjectKey key, Versioned<T> entry) {
        if (found.remove(key) == entry) {
            return entry;
        }
        Versioned<T> held = known.find(key);
        return held != null && held.sameVersion(entry) ? held : null;
    }

    /** The entry that comes now cannot be read. */
    void forget(@Nullable ObjectKey key) {
        if (key != null) {
            found.remove(key);
        }
    }

    @Override
    public boolean wants(ObjectKey key) {
        return known.wants(key);
    }

    @Override
    public boolean selects() {
        return known.selects();
    }

    @Override
    public boolean shares() {
        return false;
    }

    @Override
    public void forEachKey(Scope scope, Consumer<ObjectKey> action) {
        known.forEachKey(scope, action);
    }

    @Override
    public @Nullable String reached(Scope part) {
        return known.reached(part);
    }

    @Override
    public @Nullable String heard(Scope part) {
        return known.heard(part);
    }
}
