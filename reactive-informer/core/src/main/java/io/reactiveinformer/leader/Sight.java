package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The lease as last seen, and since when it has been unchanged by this process's own clock. The times in the lease are not read, only
 * compared for change: a lease that is unchanged for its duration has expired.
 */
final class Sight {

    private final Duration otherwise;
    private @Nullable V1LeaseSpec spec;
    private long since;
    private int highest = -1;

    /** @param otherwise the duration for a lease without one */
    Sight(Duration otherwise) {
        this.otherwise = otherwise;
    }

    /** @param now when the answer arrived: the lease was written before that */
    void look(V1LeaseSpec seen, long now) {
        if (!seen.equals(spec)) {
            spec = seen;
            since = now;
        }
        Integer transitions = seen.getLeaseTransitions();
        highest = Math.max(highest, transitions == null ? 0 : transitions);
    }

    @Nullable V1LeaseSpec spec() {
        return spec;
    }

    boolean expired(long now) {
        V1LeaseSpec last = spec;
        if (last == null || isFree(last)) {
            return true;
        }
        Integer seconds = last.getLeaseDurationSeconds();
        Duration duration = seconds == null || seconds <= 0 ? otherwise : Duration.ofSeconds(seconds);
        return now - since >= duration.toNanos();
    }

    /**
     * The number of the next term: 0 for the first known. Stays at {@link Integer#MAX_VALUE}, since the server refuses negative numbers.
     */
    int nextTransition() {
        return highest == Integer.MAX_VALUE ? highest : highest + 1;
    }

    static boolean isFree(V1LeaseSpec spec) {
        String holder = spec.getHolderIdentity();
        return holder == null || holder.isEmpty();
    }
}
