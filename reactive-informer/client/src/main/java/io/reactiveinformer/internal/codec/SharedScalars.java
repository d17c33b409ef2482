package io.reactiveinformer.internal.codec;

import io.kubernetes.client.custom.Quantity;
import java.time.OffsetDateTime;

/** Immutable scalars of the models: one value for equal texts or moments, for all readers. */
public record SharedScalars(SharedValues<OffsetDateTime> times, SharedValues<Quantity> quantities, SharedMoments moments) {

    public SharedScalars() {
        this(new SharedValues<>(Times::parse), new SharedValues<>(Quantities::parse), new SharedMoments());
    }
}
