package io.reactiveinformer.apiserver.internal.cluster;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * The latest events of one type, in a ring: the newest overwrites the oldest. Readers keep positions, which only grow. Guarded by
 * the cluster's lock.
 */
final class EventLog {

    private final int capacity;
    private @Nullable ObjectEvent[] ring;
    private long first;
    private long next;

    /** The version up to which events are forgotten: requests from before it are expired. */
    private long forgottenThrough;

    EventLog(int capacity) {
        this.capacity = capacity;
        this.ring = new @Nullable ObjectEvent[Math.min(16, capacity)];
    }

    /** The position of the next event. */
    long end() {
        return next;
    }

    long forgottenThrough() {
        return forgottenThrough;
    }

    void append(ObjectEvent event) {
        if (next - first == ring.length) {
            if (ring.length < capacity) {
                grow();
            } else {
                forgottenThrough = Math.max(forgottenThrough, event(first).version());
                first++;
            }
        }
        ring[slot(next)] = event;
        next++;
    }

    /** Whether the event at {@code position} was overwritten before it was read. */
    boolean lost(long position) {
        return position < first;
    }

    ObjectEvent event(long position) {
        ObjectEvent event = ring[slot(position)];
        if (event == null || position < first || position >= next) {
            throw new IllegalStateException("no event at " + position + ": the log holds " + first + " to " + next);
        }
        return event;
    }

    /** The position of the first event after {@code version}. */
    long after(long version) {
        long low = first;
        long high = next;
        while (low < high) {
            long middle = (low + high) >>> 1;
            if (event(middle).version() <= version) {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        return low;
    }

    /** Hides events up to {@code version} from new readers; open readers go on. */
    void forgetThrough(long version) {
        forgottenThrough = Math.max(forgottenThrough, version);
    }

    /** Forgets all events, as after a restart from a store at {@code version}. */
    void clear(long version) {
        Arrays.fill(ring, null);
        first = next;
        forgottenThrough = version;
    }

    /** Forgets all but the latest {@code events}. */
    void keep(int events) {
        long from = Math.max(first, next - events);
        if (from > first) {
            forgottenThrough = Math.max(forgottenThrough, event(from - 1).version());
            first = from;
        }
    }

    private void grow() {
        int length = Math.min(capacity, ring.length * 2);
        @Nullable ObjectEvent[] larger = new @Nullable ObjectEvent[length];
        for (long position = first; position < next; position++) {
            larger[(int) (position % length)] = ring[slot(position)];
        }
        ring = larger;
    }

    private int slot(long position) {
        return (int) (position % ring.length);
    }
}
