package io.reactiveinformer.internal.lease;

import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.client.ResourceClient;
import io.reactiveinformer.client.RetryOnConflict;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/**
 * Builds the states of one lease that this process writes. The times in them are for people, and change so that others see a renewal.
 *
 * @param identity the holder
 * @param labels added to those of the lease
 */
public record LeaseDrafts(ObjectKey key, String identity, Duration duration, Map<String, String> labels, Scheduler timer) {

    /** As client-go writes it; nobody waits for a lease without a holder. */
    private static final int RELEASED_SECONDS = 1;

    /**
     * The lease with this process as holder: {@code seen} with a later renew time, or a new one if that is null. The time always
     * increases: with a clock that stands or goes back, the lease would stay the same, and others would see no renewal.
     */
    public V1Lease held(@Nullable V1Lease seen) {
        V1LeaseSpec spec = copy(seen);
        OffsetDateTime now = later(spec.getRenewTime());
        return draft(seen, spec.holderIdentity(identity).leaseDurationSeconds((int) duration.toSeconds())
                .acquireTime(Objects.requireNonNullElse(spec.getAcquireTime(), now)).renewTime(now));
    }

    /** As {@link #held}, from now on; {@code random} is in [0, 1) and distinguishes the time from that of a namesake. */
    public V1Lease taken(@Nullable V1Lease seen, int transitions, double random) {
        OffsetDateTime now = now().plus((long) (1_000 * random), ChronoUnit.MICROS);
        V1Lease draft = held(seen);
        spec(draft).acquireTime(now).renewTime(now).leaseTransitions(transitions);
        return draft;
    }

    /**
     * Releases the lease, so that others do not wait until it expires. If that fails, it expires.
     *
     * @param ours whether this process holds the lease; if not, it is not released
     * @param limit for all tries
     */
    public Mono<Void> release(
            ResourceClient<V1Lease> leases, Predicate<V1Lease> ours, Duration limit, Consumer<KubernetesException> failed) {
        return Mono.defer(() -> leases.get(key))
                .filter(ours)
                .flatMap(seen -> leases.update(key, released(seen)))
                .retryWhen(RetryOnConflict.on(timer))
                .timeout(limit, Mono.error(() -> new TransportException("no answer within " + limit, null)), timer)
                .onErrorResume(KubernetesException.class, failure -> {
                    failed.accept(failure);
                    return Mono.empty();
                })
                .then();
    }

    private V1Lease released(V1Lease seen) {
        V1LeaseSpec spec = copy(seen);
        OffsetDateTime now = later(spec.getRenewTime());
        return draft(seen, spec.holderIdentity(null).leaseDurationSeconds(RELEASED_SECONDS).acquireTime(now).renewTime(now));
    }

    private V1Lease draft(@Nullable V1Lease seen, V1LeaseSpec spec) {
        V1ObjectMeta metadata = seen == null || seen.getMetadata() == null
                ? new V1ObjectMeta().namespace(key.namespace()).name(key.name())
                : seen.getMetadata();
        if (!labels.isEmpty()) {
            metadata.setLabels(with(metadata.getLabels(), labels));
        }
        return new V1Lease().metadata(metadata).spec(spec);
    }

    /** A copy with {@code more}. */
    public static Map<String, String> with(@Nullable Map<String, String> there, Map<String, String> more) {
        Map<String, String> all = there == null ? new LinkedHashMap<>() : new LinkedHashMap<>(there);
        all.putAll(more);
        return all;
    }

    /** The spec; an empty one if there is none. */
    public static V1LeaseSpec spec(@Nullable V1Lease lease) {
        return lease == null || lease.getSpec() == null ? new V1LeaseSpec() : lease.getSpec();
    }

    /** A copy with all fields, also those not used here. */
    private static V1LeaseSpec copy(@Nullable V1Lease seen) {
        V1LeaseSpec spec = spec(seen);
        return new V1LeaseSpec()
                .holderIdentity(spec.getHolderIdentity())
                .leaseDurationSeconds(spec.getLeaseDurationSeconds())
                .acquireTime(spec.getAcquireTime())
                .renewTime(spec.getRenewTime())
                .leaseTransitions(spec.getLeaseTransitions())
                .preferredHolder(spec.getPreferredHolder())
                .strategy(spec.getStrategy());
    }

    private OffsetDateTime later(@Nullable OffsetDateTime before) {
        OffsetDateTime now = now();
        return before == null || now.isAfter(before) ? now : before.plus(1, ChronoUnit.MICROS);
    }

    private OffsetDateTime now() {
        return Instant.ofEpochMilli(timer.now(TimeUnit.MILLISECONDS)).atOffset(ZoneOffset.UTC);
    }
}
