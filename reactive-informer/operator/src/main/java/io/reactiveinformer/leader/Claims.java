package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes the candidate's own writes, also those without an answer: by its identity, and by the acquire times that it wrote. Two
 * candidates with the same identity therefore do not mistake each other's lease for their own. Thread-safe.
 */
final class Claims {

    /** The most times kept. A lease with an evicted time is treated as another candidate's: that costs time, and does no harm. */
    private static final int MOST = 16;

    private final String identity;
    private final Deque<OffsetDateTime> acquired = new ArrayDeque<>();

    Claims(String identity) {
        this.identity = identity;
    }

    synchronized void add(OffsetDateTime time) {
        if (acquired.size() == MOST) {
            acquired.removeFirst();
        }
        acquired.addLast(time);
    }

    /** The write with {@code time} succeeded: earlier ones can no longer arrive. */
    synchronized void won(OffsetDateTime time) {
        acquired.clear();
        acquired.add(time);
    }

    /** Another candidate holds the lease: earlier writes can no longer arrive. */
    synchronized void clear() {
        acquired.clear();
    }

    synchronized boolean isEmpty() {
        return acquired.isEmpty();
    }

    synchronized boolean has(@Nullable V1LeaseSpec spec) {
        if (spec == null || !identity.equals(spec.getHolderIdentity()) || spec.getAcquireTime() == null) {
            return false;
        }
        OffsetDateTime time = spec.getAcquireTime().truncatedTo(ChronoUnit.MICROS);
        return acquired.stream().anyMatch(time::isEqual);
    }
}
