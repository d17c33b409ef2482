package io.reactiveinformer.informer;

import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What is known, where objects are changed after they were read, and so share no parts. */
record Unshared<T>(Known<T> known) implements Known<T> {

    @Override
    public @Nullable Versioned<T> find(ObjectKey key) {
        return known.find(key);
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
