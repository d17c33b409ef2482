package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.resource.ObjectKey;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Builds the leases that this candidate writes. The times in them are for people, and change so that others see a renewal. */
final class LeaseDrafts {

    /** As client-go writes it; no candidate waits for a lease without a holder. */
    private static final int RELEASED_SECONDS = 1;

    private final ObjectKey key;
    private final ElectionOptions options;

    LeaseDrafts(ObjectKey key, ElectionOptions options) {
        this.key = key;
        this.options = options;
    }

    /** The lease with this candidate as holder, for a new term. */
    V1Lease taken(@Nullable V1Lease seen, int transitions) {
        OffsetDateTime now = now().plus((long) (1_000 * options.random().getAsDouble()), ChronoUnit.MICROS); // unlike a namesake's
        return draft(seen, specOf(seen)
                .holderIdentity(options.identity())
                .leaseDurationSeconds((int) options.leaseDuration().toSeconds())
                .acquireTime(now)
                .renewTime(now)
                .leaseTransitions(transitions));
    }

    /**
     * The lease with a later renew time. The time always increases: with a clock that stands or goes back, the lease would stay the same,
     * and others would see no renewal.
     */
    V1Lease renewed(V1Lease seen) {
        OffsetDateTime before = specOf(seen).getRenewTime();
        OffsetDateTime now = now();
        OffsetDateTime later = before == null || now.isAfter(before) ? now : before.plus(1, ChronoUnit.MICROS);
        return draft(seen, specOf(seen).renewTime(later).leaseDurationSeconds((int) options.leaseDuration().toSeconds()));
    }

    /** The lease without a holder. */
    V1Lease released(V1Lease seen) {
        OffsetDateTime now = now();
        return draft(seen, specOf(seen).holderIdentity(null).leaseDurationSeconds(RELEASED_SECONDS).acquireTime(now).renewTime(now));
    }

    private V1Lease draft(@Nullable V1Lease seen, V1LeaseSpec spec) {
        V1ObjectMeta metadata = seen == null || seen.getMetadata() == null
                ? new V1ObjectMeta().namespace(key.namespace()).name(key.name())
                : seen.getMetadata();
        if (!options.labels().isEmpty()) {
            Map<String, String> labels = new LinkedHashMap<>();
            if (metadata.getLabels() != null) {
                labels.putAll(metadata.getLabels());
            }
            labels.putAll(options.labels());
            metadata.setLabels(labels);
        }
        return new V1Lease().metadata(metadata).spec(spec);
    }

    /** A copy with all fields, also those not used here. */
    private static V1LeaseSpec specOf(@Nullable V1Lease seen) {
        V1LeaseSpec spec = seen == null || seen.getSpec() == null ? new V1LeaseSpec() : seen.getSpec();
        return new V1LeaseSpec()
                .holderIdentity(spec.getHolderIdentity())
                .leaseDurationSeconds(spec.getLeaseDurationSeconds())
                .acquireTime(spec.getAcquireTime())
                .renewTime(spec.getRenewTime())
                .leaseTransitions(spec.getLeaseTransitions())
                .preferredHolder(spec.getPreferredHolder())
                .strategy(spec.getStrategy());
    }

    private OffsetDateTime now() {
        return Instant.ofEpochMilli(options.timer().now(TimeUnit.MILLISECONDS)).atOffset(ZoneOffset.UTC);
    }
}
