package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1Lease;
import io.reactiveinformer.internal.lease.LeaseDrafts;
import io.reactiveinformer.internal.lease.Sight;
import io.reactiveinformer.sharding.MemberLease.Statement;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * The leases of the other members as last seen, and since when they are unchanged by this member's own clock. The times
 * in them are not read, only compared for change: a member whose lease is unchanged for its duration counts as gone.
 * Not thread-safe.
 */
final class GroupView {

    private final Duration otherwise;
    private final Map<String, Other> others = new HashMap<>();

    /** @param otherwise the duration for a lease without one */
    GroupView(Duration otherwise) {
        this.otherwise = otherwise;
    }

    private final class Other {

        private final Sight sight = new Sight(otherwise);
        private Map<String, String> read = Map.of();
        /**
         * The last statement that could be parsed: a living member acts by what it wrote, even if another party has
         * overwritten it. {@link Statement#NOTHING} if there was none.
         */
        private Statement statement = Statement.NOTHING;

        private boolean renewed;

        void look(V1Lease lease, long now) {
            renewed |= sight.look(LeaseDrafts.spec(lease), now);
            Map<String, String> notes = MemberLease.annotations(lease);
            if (!notes.equals(read)) {
                read = notes;
                Statement understood = MemberLease.statement(notes);
                statement = understood == null ? statement : understood;
            }
        }

        boolean isGone(long now) {
            return sight.expired(now);
        }
    }

    /**
     * Updates the view. A member that is no longer among {@code leases} may still work if another party has deleted its
     * lease: it counts as living until its last seen lease has expired.
     *
     * @param self the member to leave out
     * @param now when the answer arrived: the leases were written before that
     */
    void look(List<V1Lease> leases, String self, long now) {
        Map<String, Other> seen = new HashMap<>();
        for (V1Lease lease : leases) {
            String name = MemberLease.name(lease);
            if (!name.equals(self)) {
                Other other = others.computeIfAbsent(name, first -> new Other());
                other.look(lease, now);
                seen.put(name, other);
            }
        }
        others.values().removeIf(other -> other.isGone(now) && !seen.containsValue(other));
    }

    /** The living members that are not leaving. */
    SortedSet<String> members(long now) {
        return statements(now).entrySet().stream().filter(other -> other.getValue().members().contains(other.getKey()))
                .map(Map.Entry::getKey)
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /**
     * Whether each other member is known to live, as it has renewed its lease, or to be gone. Before that, all members
     * with a lease count as living.
     */
    boolean isSure(long now) {
        return others.values().stream().allMatch(other -> other.renewed || other.isGone(now));
    }

    /** The statement of each living member. */
    Map<String, Statement> statements(long now) {
        return others.entrySet().stream().filter(other -> !other.getValue().isGone(now))
                .collect(Collectors.toMap(Map.Entry::getKey, other -> other.getValue().statement));
    }

    /**
     * A member that is gone and whose lease is unchanged for {@code time}, so that it may be deleted; null if there is
     * none.
     */
    @Nullable String departed(Duration time, long now) {
        return others.entrySet().stream()
                .filter(other -> other.getValue().isGone(now) && other.getValue().sight.isUnchangedFor(time, now))
                .map(Map.Entry::getKey).findFirst().orElse(null);
    }
}
