package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What one member has seen of the others, and since when by its own clock. What they call the time is never looked at, only whether it changes: one whose
 * lease nobody has changed for as long as it says is gone. Not for several threads at once.
 */
final class Roster {

    private final Duration otherwise;
    private final Map<String, Other> others = new HashMap<>();

    /** @param otherwise the duration of a lease that says none */
    Roster(Duration otherwise) {
        this.otherwise = otherwise;
    }

    private final class Other {

        private V1LeaseSpec spec = new V1LeaseSpec();
        private Map<String, String> read = Map.of();
        /** The last that was understood: who lives goes by what it said, whatever somebody has written over it since. Of one who never said any, nothing. */
        private Statement statement = Statement.NOTHING;

        private long since;
        private boolean renewed;
        private boolean isNew = true;

        void look(V1Lease lease, long now) {
            V1LeaseSpec seen = MemberLease.spec(lease);
            if (!seen.equals(spec)) {
                renewed = !isNew;
                isNew = false;
                spec = seen;
                since = now;
            }
            Map<String, String> notes = MemberLease.annotations(lease);
            if (!notes.equals(read)) {
                read = notes;
                Statement understood = MemberLease.statement(notes);
                statement = understood == null ? statement : understood;
            }
        }

        boolean isGone(long now) {
            String holder = spec.getHolderIdentity();
            Integer seconds = spec.getLeaseDurationSeconds();
            Duration duration = seconds == null || seconds <= 0 ? otherwise : Duration.ofSeconds(seconds);
            return holder == null || holder.isEmpty() || isUnchangedFor(duration, now);
        }

        boolean isUnchangedFor(Duration time, long now) {
            return now - since >= time.toNanos();
        }
    }

    /**
     * One that is not among {@code leases} any more may work on if somebody else has deleted its lease: it lives until what was last seen of it has expired.
     *
     * @param self which is left out
     * @param now when the answer was there, which is not before the leases were written
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

    /** Those who live and stay. */
    SortedSet<String> members(long now) {
        SortedSet<String> members = new TreeSet<>();
        statements(now).forEach((name, statement) -> {
            if (statement.members().contains(name)) {
                members.add(name);
            }
        });
        return members;
    }

    /** Whether of each it is known that it lives, or that it is gone: one who has just come takes all whose leases are there for living. */
    boolean isSure(long now) {
        return others.values().stream().allMatch(other -> other.renewed || other.isGone(now));
    }

    /** What each says who lives. */
    Map<String, Statement> statements(long now) {
        Map<String, Statement> statements = new HashMap<>();
        others.forEach((name, other) -> {
            if (!other.isGone(now)) {
                statements.put(name, other.statement);
            }
        });
        return statements;
    }

    /** Whose lease has said nothing for {@code time}, and is only in the way. */
    @Nullable String departed(Duration time, long now) {
        List<String> departed = new ArrayList<>();
        others.forEach((name, other) -> {
            if (other.isGone(now) && other.isUnchangedFor(time, now)) {
                departed.add(name);
            }
        });
        return departed.isEmpty() ? null : departed.get(0);
    }
}
