package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What was last seen of a lease, and since when it has been so by our own clock. The times that it tells are never looked at, only whether they
 * change: a lease that nobody has changed for as long as it says is expired.
 */
final class Sight {

    private final Duration otherwise;
    private @Nullable V1LeaseSpec spec;
    private long since;
    private int highest = -1;

    /** @param otherwise the duration of a lease that says none */
    Sight(Duration otherwise) {
        this.otherwise = otherwise;
    }

    /** @param now when the answer was there, which is not before the lease was written */
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

    /** What the next term counts as: 0 for the first that is known of. At the end of numbers it stays there, for a negative one is refused. */
    int nextTransition() {
        return highest == Integer.MAX_VALUE ? highest : highest + 1;
    }

    static boolean isFree(V1LeaseSpec spec) {
        String holder = spec.getHolderIdentity();
        return holder == null || holder.isEmpty();
    }
}
