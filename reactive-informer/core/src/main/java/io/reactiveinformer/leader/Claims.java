package io.reactiveinformer.leader;

import io.kubernetes.client.openapi.models.V1LeaseSpec;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.Deque;
import org.jspecify.annotations.Nullable;

/**
 * By which a candidate knows his own writes again, also those of which he never heard whether they arrived: his name, and the times at which he
 * says that he acquired the lease. Two candidates of one name therefore do not take each other's lease for their own. Any thread may ask.
 */
final class Claims {

    /** A lease taken by one that was pushed out of here is waited for as another's: that costs time, and harms nobody. */
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

    /** It was written: what was tried before can arrive no more. */
    synchronized void won(OffsetDateTime time) {
        acquired.clear();
        acquired.add(time);
    }

    /** Another has it: what we tried before can arrive no more. */
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
