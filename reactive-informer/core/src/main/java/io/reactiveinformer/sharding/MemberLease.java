package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.leader.ElectionOptions;
import io.reactiveinformer.resource.ObjectKey;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Reads and builds the leases of members. The times in them are for people, and change so that others see a renewal. */
final class MemberLease {

    /** The label with the name of the group. */
    static final String GROUP = "sharding.reactive-informer.io/group";
    static final String MEMBERS = "sharding.reactive-informer.io/members";
    static final String FINISHING = "sharding.reactive-informer.io/finishing";

    /** The longest value of a label. */
    static final int LONGEST_GROUP = 63;

    private static final Pattern GROUP_NAME = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private static final int HEX = 16;

    private final ObjectKey key;
    private final String group;
    private final ElectionOptions options;

    MemberLease(ObjectKey key, String group, ElectionOptions options) {
        this.key = key;
        this.group = group;
        this.options = options;
    }

    static boolean isGroup(String name) {
        return name.length() <= LONGEST_GROUP && GROUP_NAME.matcher(name).matches();
    }

    /** The lease of this member with {@code statement}: renewed, or a new one if {@code stored} is null. */
    V1Lease saying(Statement statement, @Nullable V1Lease stored) {
        V1ObjectMeta metadata = stored == null ? new V1ObjectMeta().namespace(key.namespace()).name(key.name()) : metadata(stored);
        metadata.setLabels(with(metadata.getLabels(), options.labels()));
        metadata.setLabels(with(metadata.getLabels(), Map.of(GROUP, group)));
        metadata.setAnnotations(with(metadata.getAnnotations(), Map.of(
                MEMBERS, String.join(",", statement.members()),
                FINISHING, statement.finishing().stream().map(Long::toHexString).collect(Collectors.joining(",")))));
        OffsetDateTime before = stored == null ? null : spec(stored).getRenewTime();
        OffsetDateTime acquired = stored == null ? null : spec(stored).getAcquireTime();
        OffsetDateTime now = later(before);
        return new V1Lease().metadata(metadata).spec(new V1LeaseSpec()
                .holderIdentity(options.identity())
                .leaseDurationSeconds((int) options.leaseDuration().toSeconds())
                .acquireTime(acquired == null ? now : acquired)
                .renewTime(now));
    }

    /** The lease without a holder: other members do not wait until it expires. */
    V1Lease released(V1Lease stored) {
        return new V1Lease().metadata(metadata(stored)).spec(new V1LeaseSpec()
                .leaseDurationSeconds(1)
                .acquireTime(spec(stored).getAcquireTime())
                .renewTime(later(spec(stored).getRenewTime())));
    }

    /**
     * The present time, but after {@code before}: with a clock that stands or goes back, the lease would stay the same, and others would
     * see no renewal.
     */
    private OffsetDateTime later(@Nullable OffsetDateTime before) {
        OffsetDateTime now = Instant.ofEpochMilli(options.timer().now(TimeUnit.MILLISECONDS)).atOffset(ZoneOffset.UTC);
        return before == null || now.isAfter(before) ? now : before.plus(1, ChronoUnit.MICROS);
    }

    private static Map<String, String> with(@Nullable Map<String, String> there, Map<String, String> more) {
        Map<String, String> all = there == null ? new LinkedHashMap<>() : new LinkedHashMap<>(there);
        all.putAll(more);
        return all;
    }

    static V1ObjectMeta metadata(V1Lease lease) {
        return Objects.requireNonNullElseGet(lease.getMetadata(), V1ObjectMeta::new);
    }

    static V1LeaseSpec spec(V1Lease lease) {
        return Objects.requireNonNullElseGet(lease.getSpec(), V1LeaseSpec::new);
    }

    static String name(V1Lease lease) {
        return Objects.requireNonNullElse(metadata(lease).getName(), "");
    }

    static Map<String, String> annotations(V1Lease lease) {
        return Objects.requireNonNullElseGet(metadata(lease).getAnnotations(), Map::of);
    }

    /** The statement in the annotations; null if there is none, or it cannot be parsed. */
    static @Nullable Statement statement(Map<String, String> annotations) {
        if (!annotations.containsKey(MEMBERS)) {
            return null;
        }
        SortedSet<String> members = new TreeSet<>(parts(annotations.get(MEMBERS)));
        try {
            return new Statement(members, parts(annotations.get(FINISHING)).stream().map(text -> Long.parseUnsignedLong(text, HEX))
                    .collect(Collectors.toSet()));
        } catch (NumberFormatException notOurs) {
            return null;
        }
    }

    private static Set<String> parts(@Nullable String text) {
        return text == null || text.isEmpty() ? Set.of() : new TreeSet<>(Arrays.asList(text.split(",", -1)));
    }
}
