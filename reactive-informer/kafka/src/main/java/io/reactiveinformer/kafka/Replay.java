package io.reactiveinformer.kafka;

import io.reactiveinformer.resource.ObjectKey;
import java.util.LinkedHashMap;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.jspecify.annotations.Nullable;

/** The state of a topic, from its records in their order. Not thread-safe. */
final class Replay {

    /** @param version of the row: the offset behind its record */
    record Kept(TopicRecord.Row row, long version) {}

    final Map<ObjectKey, Kept> rows = new LinkedHashMap<>();

    /** The last record of each row whose last record does not count. Compaction would keep it, and remove the valid one before it. */
    final Map<ObjectKey, TopicRecord.Row> late = new LinkedHashMap<>();

    private Term greatest = Term.NONE;
    private TopicRecord.@Nullable Synced synced;
    private boolean atSynced;

    void add(ConsumerRecord<byte[], byte[]> read) {
        TopicRecord record = TopicRecord.of(read);
        if (record == null) {
            return;
        }
        if (record.term().compareTo(greatest) < 0) {
            if (record instanceof TopicRecord.Row row) {
                late.put(row.key(), row);
            }
            return;
        }
        greatest = record.term();
        atSynced = false;
        if (record instanceof TopicRecord.Row row) {
            late.remove(row.key());
            if (row.value() == null) {
                rows.remove(row.key());
            } else {
                rows.put(row.key(), new Kept(row, read.offset() + 1));
            }
        } else if (record instanceof TopicRecord.Synced complete) {
            synced = complete;
            atSynced = true;
        }
    }

    Term greatest() {
        return greatest;
    }

    /** What makes this state no complete one; null if it is. */
    @Nullable String lacks() {
        if (synced == null) {
            return "no publisher has written a complete state yet";
        }
        return atSynced && synced.rows() != rows.size()
                ? "has " + rows.size() + " rows where its publisher has written " + synced.rows()
                        + "; were records removed other than by compaction?"
                : null;
    }
}
