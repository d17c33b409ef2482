package io.reactiveinformer.informer;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Answers as {@code known} does, except for what a subclass overrides. */
abstract class ForwardingKnown<T> implements Known<T> {

    final Known<T> known;

    ForwardingKnown(Known<T> known) {
        this.known = known;
    }

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
        return known.shares();
    }

    @Override
    public void forEachKey(Namespaces part, Consumer<ObjectKey> action) {
        known.forEachKey(part, action);
    }

    @Override
    public Map<ObjectKey, Known.Stale> stale() {
        return known.stale();
    }

    @Override
    public @Nullable String reached(Namespaces part) {
        return known.reached(part);
    }

    @Override
    public @Nullable String received(Namespaces part) {
        return known.received(part);
    }
}
