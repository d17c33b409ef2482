package io.reactiveinformer.internal.codec;

import io.kubernetes.client.custom.Quantity;
import java.time.OffsetDateTime;

/** Immutable scalars of the models: one value for equal texts, for all readers. */
record SharedScalars(SharedValues<OffsetDateTime> times, SharedValues<Quantity> quantities) {

    SharedScalars() {
        this(new SharedValues<>(Times::parse), new SharedValues<>(Quantities::parse));
    }
}
