package io.reactiveinformer.codec;

import io.kubernetes.client.custom.Quantity;
import java.time.OffsetDateTime;

/** Scalars of the models that never change: of equal texts, one value, whoever reads them. */
record SharedScalars(SharedValues<OffsetDateTime> times, SharedValues<Quantity> quantities) {

    SharedScalars() {
        this(new SharedValues<>(Times::parse), new SharedValues<>(Quantities::parse));
    }
}
