package io.reactiveinformer.apiserver.internal.cluster;

import java.util.ArrayList;
import java.util.List;

/**
 * One reader of a type's events, who takes them from the shared log at a pace of his own. Who is too slow loses his place. For one thread
 * at a time.
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

    /** What was there when reading began, in key order. */
    public List<StoredObject> initial() {
        return initial;
    }

    /** The version at which reading began. */
    public long from() {
        return from;
    }

    /** @param over no more will come: the reader was too slow, or the type is no longer what it was */
    public record Batch(List<ObjectEvent> events, boolean over) {}

    /** The next events that the selection sees, oldest first; none if nothing has happened. */
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

    /** The version up to which this reader knows everything, if he has read all there is; 0 otherwise. */
    public long reached() {
        synchronized (cluster) {
            long version = cluster.version();
            return position == table.log().end() && version >= from ? version : 0;
        }
    }

    public void close() {
        synchronized (cluster) {
            table.leave(wake);
        }
    }
}
