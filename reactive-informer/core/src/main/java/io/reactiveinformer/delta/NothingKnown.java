package io.reactiveinformer.delta;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.Versioned;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Nothing is cached. */
record NothingKnown<T>(boolean shares) implements Known<T> {

    @Override
    public @Nullable Versioned<T> find(ObjectKey key) {
        return null;
    }

    @Override
    public void forEachKey(Scope scope, Consumer<ObjectKey> action) {}

    @Override
    public @Nullable String reached(Scope part) {
        return null;
    }

    @Override
    public @Nullable String heard(Scope part) {
        return null;
    }
}
