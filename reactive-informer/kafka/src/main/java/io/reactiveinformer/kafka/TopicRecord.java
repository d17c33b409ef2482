package io.reactiveinformer.kafka;

import io.reactiveinformer.resource.ObjectKey;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.header.Header;
import org.apache.kafka.common.header.internals.RecordHeader;
import org.jspecify.annotations.Nullable;

/**
 * What a record of a topic says. The format is documented in the guide, as others read it too; {@link #FORMAT} is its version.
 *
 * <p>The keys of rows are those of objects, {@code namespace/name} or {@code name}. The other keys begin with a slash, as no object's does.
 */
sealed interface TopicRecord {

    String FORMAT = "1";
    String FENCE = "//fence";
    String SYNCED = "//synced";

    /** The publisher that wrote this; for a {@link Fence}, the one that begins with it. */
    Term term();

    /**
     * A row, or its end.
     *
     * @param value null if the row does not exist any more
     * @param last the row before it ended, if the publisher knew it; null while it exists
     * @param uid of the object, if it has one
     * @param added whether the topic had no such row before, as far as the publisher knew
     */
    @SuppressWarnings("ArrayRecordComponent") // rows are not compared; copies would double what is sent
    record Row(ObjectKey key, byte @Nullable [] value, byte @Nullable [] last, Term term, @Nullable String uid, boolean added)
            implements TopicRecord {

        boolean hasStateOf(Row other) {
            return Arrays.equals(value, other.value) && Objects.equals(uid, other.uid);
        }

        Row gone(Term term) {
            return new Row(key, null, value, term, uid, false);
        }
    }

    /**
     * The rows up to here are a complete state. Repeated as a heartbeat.
     *
     * @param rows how many there are
     * @param version the resourceVersion of the view, if it has one
     */
    record Synced(Term term, long rows, @Nullable String version) implements TopicRecord {}

    /** A publisher begins: from here on, records of smaller terms do not count. */
    record Fence(Term term) implements TopicRecord {}

    /** Null if the record has no meaning here: a later format has written it, or somebody else. */
    static @Nullable TopicRecord of(ConsumerRecord<byte[], byte[]> read) {
        if (read.key() == null) {
            return null;
        }
        String key = new String(read.key(), StandardCharsets.UTF_8);
        if (key.equals(FENCE)) {
            Term began = term(header(read, "token") + "." + read.offset());
            return began == null ? null : new Fence(began);
        }
        Term term = term(header(read, "term"));
        if (term == null) {
            return null;
        }
        if (key.equals(SYNCED)) {
            Long rows = number(header(read, "rows"));
            return rows == null ? null : new Synced(term, rows, header(read, "version"));
        }
        ObjectKey object = key(key);
        Header last = read.headers().lastHeader("last");
        return object == null ? null : new Row(object, read.value(), last == null ? null : last.value(), term, header(read, "uid"),
                "added".equals(header(read, "change")));
    }

    private static @Nullable Term term(@Nullable String text) {
        return text == null ? null : Term.parse(text);
    }

    private static @Nullable Long number(@Nullable String text) {
        try {
            return text == null ? null : Long.valueOf(text);
        } catch (NumberFormatException other) {
            return null;
        }
    }

    private static @Nullable ObjectKey key(String text) {
        try {
            return ObjectKey.parse(text);
        } catch (IllegalArgumentException other) {
            return null;
        }
    }

    private static @Nullable String header(ConsumerRecord<?, ?> read, String name) {
        Header header = read.headers().lastHeader(name);
        return header == null || header.value() == null ? null : new String(header.value(), StandardCharsets.UTF_8);
    }

    static ProducerRecord<byte[], byte[]> fence(String topic, long token) {
        return record(topic, FENCE, new byte[0], "format", FORMAT, "token", Long.toString(token));
    }

    static ProducerRecord<byte[], byte[]> write(String topic, TopicRecord written) {
        String term = written.term().toString();
        if (written instanceof Row row) {
            ProducerRecord<byte[], byte[]> record = record(topic, row.key.toString(), row.value, "term", term, "uid", row.uid, "change",
                    row.value == null ? "deleted" : row.added ? "added" : "modified");
            if (row.last != null) {
                record.headers().add("last", row.last);
            }
            return record;
        }
        Synced synced = (Synced) written;
        return record(topic, SYNCED, new byte[0],
                "format", FORMAT, "term", term, "rows", Long.toString(synced.rows), "version", synced.version);
    }

    /** @param headers names and values; one whose value is null is left out */
    private static ProducerRecord<byte[], byte[]> record(
            String topic, String key, byte @Nullable [] value, @Nullable String... headers) {
        List<Header> all = new ArrayList<>();
        for (int i = 0; i < headers.length; i += 2) {
            String name = headers[i];
            String text = headers[i + 1];
            if (name != null && text != null) {
                all.add(new RecordHeader(name, text.getBytes(StandardCharsets.UTF_8)));
            }
        }
        return new ProducerRecord<>(topic, 0, key.getBytes(StandardCharsets.UTF_8), value, all);
    }
}
