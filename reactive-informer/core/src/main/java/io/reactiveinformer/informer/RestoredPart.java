package io.reactiveinformer.informer;

import io.reactiveinformer.delta.Known;
import io.reactiveinformer.resource.InformerStatus;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The known states of a restored {@code part} that will be listed, in no older version than the restored one.
 *
 * @param version the version up to which the part was saved
 */
record RestoredPart<T>(Known<T> known, Namespaces part, String version) implements Known<T> {

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
    public void forEachKey(Namespaces namespaces, Consumer<ObjectKey> action) {
        known.forEachKey(namespaces, action);
    }

    @Override
    public Map<ObjectKey, InformerStatus.Stale> stale() {
        return known.stale();
    }

    @Override
    public @Nullable String reached(Namespaces asked) {
        return orRestored(known.reached(asked), asked);
    }

    @Override
    public @Nullable String received(Namespaces asked) {
        return orRestored(known.received(asked), asked);
    }

    private @Nullable String orRestored(@Nullable String known, Namespaces asked) {
        return asked.equals(part) ? Objects.requireNonNullElse(known, version) : known;
    }
}
