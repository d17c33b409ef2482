package io.reactiveinformer.internal.lease;

import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * The lease as last seen, and since when it has been unchanged by this process's own clock. The times in the lease are not read, only
 * compared for change: a lease that is unchanged for its duration has expired.
 */
public final class Sight {

    private final Duration otherwise;
    private @Nullable V1LeaseSpec spec;
    private long since;
    private int highest = -1;

    /** @param otherwise the duration for a lease without one */
    public Sight(Duration otherwise) {
        this.otherwise = otherwise;
    }

    /**
     * Notes what was read, and returns whether it differs from what was read before.
     *
     * @param now when the answer arrived: the lease was written before that
     */
    public boolean look(V1LeaseSpec seen, long now) {
        boolean changed = !seen.equals(spec);
        boolean renewed = changed && spec != null;
        if (changed) {
            spec = seen;
            since = now;
        }
        Integer transitions = seen.getLeaseTransitions();
        highest = Math.max(highest, transitions == null ? 0 : transitions);
        return renewed;
    }

    /** The lease as last seen; null if none was. */
    public @Nullable V1LeaseSpec spec() {
        return spec;
    }

    /** Whether no lease was seen, or it has no holder, or was unchanged for its duration. */
    public boolean expired(long now) {
        V1LeaseSpec last = spec;
        if (last == null || isFree(last)) {
            return true;
        }
        Integer seconds = last.getLeaseDurationSeconds();
        Duration duration = seconds == null || seconds <= 0 ? otherwise : Duration.ofSeconds(seconds);
        return isUnchangedFor(duration, now);
    }

    /** Whether the lease was the same for {@code time}. */
    public boolean isUnchangedFor(Duration time, long now) {
        return now - since >= time.toNanos();
    }

    /**
     * The number of the next term: 0 for the first known. Stays at {@link Integer#MAX_VALUE}, since the server refuses negative numbers.
     */
    public int nextTransition() {
        return highest == Integer.MAX_VALUE ? highest : highest + 1;
    }

    /** Whether {@code spec} has no holder. */
    public static boolean isFree(V1LeaseSpec spec) {
        String holder = spec.getHolderIdentity();
        return holder == null || holder.isEmpty();
    }
}
