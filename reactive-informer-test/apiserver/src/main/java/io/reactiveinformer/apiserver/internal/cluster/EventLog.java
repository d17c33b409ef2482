package io.reactiveinformer.apiserver.internal.cluster;

import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;

/**
 * The latest events of one type; the oldest are forgotten. Readers keep positions, which only grow. Guarded by
 * the cluster's lock.
 */
final class EventLog {

    private final int capacity;
    private final TreeMap<Long, ObjectEvent> events = new TreeMap<>(); // by their positions
    private long next;
    /** The version up to which events are forgotten: requests from before it are expired. */
    private long forgottenThrough;

    EventLog(int capacity) {
        this.capacity = capacity;
    }

    /** The position of the next event. */
    long end() {
        return next;
    }

    long forgottenThrough() {
        return forgottenThrough;
    }

    void append(ObjectEvent event) {
        keep(capacity - 1);
        events.put(next++, event);
    }

    /** Whether the event at {@code position} was forgotten before it was read. */
    boolean lost(long position) {
        return position < next - events.size();
    }

    ObjectEvent event(long position) {
        return Objects.requireNonNull(events.get(position), () -> "no event at " + position + " of " + events.size() + " before " + next);
    }

    /** The position of the first event after {@code version}. */
    long after(long version) {
        return next - events.descendingMap().values().stream().takeWhile(event -> event.version() > version).count();
    }

    /** Hides events up to {@code version} from new readers; open readers go on. */
    void forgetThrough(long version) {
        forgottenThrough = Math.max(forgottenThrough, version);
    }

    /** Forgets all events, as after a restart from a store at {@code version}. */
    void clear(long version) {
        events.clear();
        forgottenThrough = version;
    }

    /** Forgets all but the {@code latest} events. */
    void keep(int latest) {
        Map<Long, ObjectEvent> older = events.headMap(next - latest);
        older.values().forEach(event -> forgetThrough(event.version()));
        older.clear();
    }
}
