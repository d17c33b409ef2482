package io.reactiveinformer.kafka;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.source.ListerWatcher;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.LongConsumer;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

/**
 * A topic as a server: a list reads it to its end, a watch reads on. The version is the offset behind the last record that was read.
 * A watch continues only what this process has read before, and never over a gap in which the topic may have dropped deletions.
 */
final class KafkaSource<T> implements ListerWatcher<T> {

    private final KafkaTopic topic;
    private final KafkaClients clients;
    private final RowCodec<T> codec;
    private final Timings timings;
    private final LongConsumer lag;
    private final long mostLag; // nanoseconds

    /** Which topic was listed, null before the first list; versions are valid while it has this identity. */
    private volatile @Nullable Uuid identity;
    private volatile Term greatest = Term.NONE;
    private volatile long caughtUp;
    private volatile boolean silent;

    KafkaSource(KafkaTopic topic, RowCodec<T> codec, Timings timings) {
        this(topic, codec, timings, lag -> {});
    }

    /** @param lag is notified of the number of records behind the end, after each poll */
    KafkaSource(KafkaTopic topic, RowCodec<T> codec, Timings timings, LongConsumer lag) {
        this.topic = topic;
        this.clients = new KafkaClients(topic);
        this.codec = codec;
        this.timings = timings;
        this.lag = lag;
        this.mostLag = timings.mostLag().toNanos();
    }

    @Override
    public Identity identity() {
        return Identity.of(topic.toString(), Namespaces.all());
    }

    /** The limit is ignored: a later page would have to read everything again, and would miss what compaction has removed meanwhile. */
    @Override
    public Flux<ObjectEvent<T>> list(ListOptions options, Reading<T> reading) {
        return Mono.fromCallable(this::openList).subscribeOn(Schedulers.boundedElastic())
                .doOnDiscard(Listing.class, listing -> listing.from.closeIfUnread())
                .flatMapMany(listing -> listing.from.records()
                        .collect(Replay::new, Replay::add)
                        .flatMapMany(replay -> listed(listing, replay, reading)));
    }

    /** @param at by {@link System#nanoTime} */
    private record Listing(Uuid topic, long at, TopicReading.From from) {}

    private Listing openList() {
        Uuid there = clients.requireTopic();
        long now = System.nanoTime();
        Consumer<byte[], byte[]> consumer = clients.consumer();
        try {
            consumer.seekToBeginning(List.of(clients.partition));
            long end = endOf(consumer);
            return new Listing(there, now,
                    new TopicReading.From(consumer, clients.partition, end, timings.silence(), (records, at) -> lag.accept(records)));
        } catch (RuntimeException failure) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw new TransportException("cannot read " + topic + ": " + failure, failure);
        }
    }

    private long endOf(Consumer<?, ?> consumer) {
        return Objects.requireNonNull(consumer.endOffsets(List.of(clients.partition)).get(clients.partition));
    }

    private Flux<ObjectEvent<T>> listed(Listing listing, Replay replay, Reading<T> reading) {
        String lacking = replay.lacks();
        if (lacking != null) {
            return Flux.error(new TransportException(topic + ": " + lacking, null));
        }
        greatest = replay.greatest();
        caughtUp = listing.at;
        identity = listing.topic;
        return Flux.fromIterable(replay.rows.entrySet()).<ObjectEvent<T>>map(row -> item(row, reading))
                .concatWithValues(new ObjectEvent.PageEnd<>(Long.toString(listing.from.end()), null));
    }

    private ObjectEvent<T> item(Map.Entry<ObjectKey, Replay.Kept> row, Reading<T> reading) {
        ObjectKey key = row.getKey();
        TopicRecord.Row written = row.getValue().row();
        String version = Long.toString(row.getValue().version());
        Versioned<T> cached = reading.find(key);
        if (cached != null && version.equals(cached.resourceVersion()) && Objects.equals(written.uid(), cached.uid())) {
            return new ObjectEvent.Applied<>(key, cached);
        }
        try {
            return new ObjectEvent.Applied<>(key,
                    Versioned.packed(written.uid(), version, decode(Objects.requireNonNull(written.value()))));
        } catch (RuntimeException failure) {
            return new ObjectEvent.Unreadable<>(key, written.uid(), version, false, unreadable(key, failure));
        }
    }

    private T decode(byte[] bytes) {
        return Objects.requireNonNull(codec.decode(bytes), "the codec returned null");
    }

    private UnreadableObjectException unreadable(ObjectKey key, RuntimeException failure) {
        return new UnreadableObjectException(topic + ": cannot read the row of " + key + ": " + failure, failure);
    }

    @Override
    public Flux<ObjectEvent<T>> watch(WatchOptions options, Reading<T> reading) {
        String version = options.resourceVersion();
        if (options.initialEvents() || version == null) {
            return Flux.error(refusal(400, "BadRequest", "a topic is listed before it is watched"));
        }
        return Mono.fromCallable(() -> openWatch(Long.parseLong(version))).subscribeOn(Schedulers.boundedElastic())
                .doOnDiscard(TopicReading.From.class, TopicReading.From::closeIfUnread)
                .flatMapMany(from -> Flux.using(
                        () -> from,
                        read -> opened(read.records().doOnNext(this::checkLag).concatMapIterable(this::events)),
                        TopicReading.From::closeIfUnread))
                .take(options.timeout());
    }

    /** A topic that was silent does not count as open before something is written to it, or it would seem current for a while. */
    private Flux<ObjectEvent<T>> opened(Flux<ObjectEvent<T>> events) {
        Flux<ObjectEvent<T>> watched = events.doOnNext(event -> silent = false).doOnError(failure -> silent = true);
        ObjectEvent<T> opened = new ObjectEvent.Opened<>();
        return silent ? watched.switchOnFirst((first, all) -> first.hasValue() ? all.startWith(opened) : all) : watched.startWith(opened);
    }

    private TopicReading.From openWatch(long position) {
        if (!clients.requireTopic().equals(identity)) {
            throw refusal(410, "Expired", "this process has not listed this topic");
        }
        checkLag(null);
        Consumer<byte[], byte[]> consumer = clients.consumer();
        try {
            long begin = Objects.requireNonNull(consumer.beginningOffsets(List.of(clients.partition)).get(clients.partition));
            if (position < begin || position > endOf(consumer)) {
                throw refusal(410, "Expired", "its records begin at " + begin + " and end before " + endOf(consumer)
                        + ", and it was read up to " + position);
            }
            consumer.seek(clients.partition, position);
            return new TopicReading.From(consumer, clients.partition, Long.MAX_VALUE, timings.silence(), this::lag);
        } catch (StatusException refused) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw refused;
        } catch (RuntimeException failure) {
            consumer.close(CloseOptions.timeout(Duration.ZERO));
            throw new TransportException("cannot read " + topic + ": " + failure, failure);
        }
    }

    private void lag(long records, long at) {
        if (records == 0) {
            caughtUp = at;
        }
        lag.accept(records);
    }

    private void checkLag(@Nullable Object next) {
        if (System.nanoTime() - caughtUp > mostLag) {
            throw refusal(410, "Expired", "its end was last reached more than " + timings.mostLag().toMinutes()
                    + " min ago, and deletions since then may have been dropped");
        }
    }

    private StatusException refusal(int code, String reason, String why) {
        return StatusException.of(Status.of(code, reason, topic + ": " + why), "watch " + topic.name());
    }

    private List<ObjectEvent<T>> events(ConsumerRecord<byte[], byte[]> read) {
        TopicRecord record = TopicRecord.of(read);
        if (record == null || record.term().compareTo(greatest) < 0) {
            return List.of();
        }
        greatest = record.term();
        String version = Long.toString(read.offset() + 1);
        return List.of(record instanceof TopicRecord.Row row ? event(row, version) : new ObjectEvent.Bookmark<>(version, false));
    }

    private ObjectEvent<T> event(TopicRecord.Row row, String version) {
        boolean deleted = row.value() == null;
        byte[] bytes = deleted ? row.last() : row.value();
        try {
            Versioned<T> entry = Versioned.packed(row.uid(), version, decode(Objects.requireNonNull(bytes, "the row is missing")));
            return deleted ? new ObjectEvent.Deleted<>(row.key(), entry) : new ObjectEvent.Applied<>(row.key(), entry, !row.added());
        } catch (RuntimeException failure) { // of a deleted row, the cached state is taken
            return new ObjectEvent.Unreadable<>(row.key(), row.uid(), version, deleted, unreadable(row.key(), failure));
        }
    }

    @Override
    public String toString() {
        return topic.toString();
    }
}
