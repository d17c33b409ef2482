package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.internal.lease.LeaseDrafts;
import java.util.Arrays;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** What the lease of a member says beyond its holder. */
final class MemberLease {

    /** The label with the name of the group. */
    static final String GROUP = "sharding.reactive-informer.io/group";
    static final String MEMBERS = "sharding.reactive-informer.io/members";
    static final String FINISHING = "sharding.reactive-informer.io/finishing";

    /** The longest value of a label. */
    static final int LONGEST_GROUP = 63;

    private static final Pattern GROUP_NAME = Pattern.compile("[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*");

    private static final int HEX = 16;

    private MemberLease() {}

    /**
     * What a member has written to its lease.
     *
     * @param members the names of the members among which it divides the keys; without its own if it leaves
     * @param finishing the hashes of the keys that it is still working on although they are outside of its share by
     *     that division
     */
    record Statement(SortedSet<String> members, Set<Long> finishing) {

        static final Statement NOTHING = new Statement(new TreeSet<>(), Set.of());
    }

    static boolean isGroup(String name) {
        return name.length() <= LONGEST_GROUP && GROUP_NAME.matcher(name).matches();
    }

    /** Writes {@code statement} into the annotations of {@code draft}, and returns that. */
    static V1Lease saying(Statement statement, V1Lease draft) {
        V1ObjectMeta metadata = metadata(draft);
        metadata.setAnnotations(LeaseDrafts.with(metadata.getAnnotations(), Map.of(
                MEMBERS, String.join(",", statement.members()),
                FINISHING, statement.finishing().stream().map(Long::toHexString).collect(Collectors.joining(",")))));
        return draft;
    }

    static V1ObjectMeta metadata(V1Lease lease) {
        return Objects.requireNonNullElseGet(lease.getMetadata(), V1ObjectMeta::new);
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
