package io.reactiveinformer.informer;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The known states of a restored {@code part}, complete up to the restored version. */
final class RestoredPart<T> implements Known<T> {

    private final Known<T> known;
    private final Namespaces part;
    private final String version;

    /** @param version the version up to which the part was saved */
    RestoredPart(Known<T> known, Namespaces part, String version) {
        this.known = known;
        this.part = part;
        this.version = version;
    }

    @Override
    public @Nullable Versioned<T> find(ObjectKey key) {
        return known.find(key);
    }

    @Override
    public void forEachKey(Namespaces asked, Consumer<ObjectKey> action) {
        known.forEachKey(asked, action);
    }

    @Override
    public Map<ObjectKey, Known.Stale> stale() {
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

    private @Nullable String orRestored(@Nullable String reached, Namespaces asked) {
        return asked.equals(part) ? Objects.requireNonNullElse(reached, version) : reached;
    }
}
