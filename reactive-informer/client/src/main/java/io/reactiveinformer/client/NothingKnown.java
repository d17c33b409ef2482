package io.reactiveinformer.client;

import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Nothing is cached. */
record NothingKnown<T>() implements Known<T> {

    @Override
    public @Nullable Versioned<T> find(ObjectKey key) {
        return null;
    }

    @Override
    public void forEachKey(Namespaces part, Consumer<ObjectKey> action) {}

    @Override
    public @Nullable String reached(Namespaces part) {
        return null;
    }

    @Override
    public @Nullable String received(Namespaces part) {
        return null;
    }
}
