package io.reactiveinformer.informer;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.resource.Namespaces;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The known states of a restored {@code part}, complete up to the restored version. */
final class RestoredPart<T> extends ForwardingKnown<T> {

    private final Namespaces part;
    private final String version;

    /** @param version the version up to which the part was saved */
    RestoredPart(Known<T> known, Namespaces part, String version) {
        super(known);
        this.part = part;
        this.version = version;
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
