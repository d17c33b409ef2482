package io.reactiveinformer.apiserver.internal.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * One reader of a type's events, which takes them from the shared log at its own pace. A reader that is too slow loses its place. For one
 * thread at a time.
 */
public final class EventCursor {

    private final Cluster cluster;
    private final ObjectTable table;
    private final Selection selection;
    private final List<StoredObject> initial;
    private final long from;
    private final Runnable wake;
    private final int readersEnded;
    private long position;

    EventCursor(
            Cluster cluster, ObjectTable table, Selection selection, long position, long from, List<StoredObject> initial, Runnable wake) {
        this.cluster = cluster;
        this.table = table;
        this.selection = selection;
        this.position = position;
        this.from = from;
        this.initial = initial;
        this.wake = wake;
        this.readersEnded = table.readersEnded();
    }

    /** The objects at the start of reading, in key order. */
    public List<StoredObject> initial() {
        return initial;
    }

    /** The version at which reading began. */
    public long from() {
        return from;
    }

    /**
     * The result of a poll.
     *
     * @param over whether there will be no more events: the reader was too slow, or the type was changed or removed
     */
    public record Batch(List<ObjectEvent> events, boolean over) {}

    /** Takes up to {@code atMost} of the next events of the selection, oldest first; none if there are no new ones. Does not block. */
    public Batch poll(int atMost) {
        synchronized (cluster) {
            EventLog log = table.log();
            List<ObjectEvent> events = new ArrayList<>();
            while (!log.lost(position) && position < log.end() && events.size() < atMost) {
                ObjectEvent event = log.event(position++);
                ObjectEvent seen = event.version() <= from ? null : event.seenBy(selection);
                if (seen != null) {
                    events.add(seen);
                }
            }
            boolean over = log.lost(position) || position == log.end() && readersEnded != table.readersEnded();
            return new Batch(events, over);
        }
    }

    /** The cluster's version if this reader has read all events; 0 otherwise. */
    public long reached() {
        synchronized (cluster) {
            long version = cluster.version();
            return position == table.log().end() && version >= from ? version : 0;
        }
    }

    /** Ends reading: {@code wake} is not run by later changes. */
    public void close() {
        synchronized (cluster) {
            table.leave(wake);
        }
    }
}
