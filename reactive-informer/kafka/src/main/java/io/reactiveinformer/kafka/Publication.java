package io.reactiveinformer.kafka;

import io.reactiveinformer.internal.OutageLog;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.View;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.apache.kafka.clients.consumer.CloseOptions;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.KafkaException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** Keeps a topic equal to a view. Begins anew, with a new term, whenever a write fails. */
final class Publication<T> {

    private static final Logger LOG = LoggerFactory.getLogger(Publication.class);

    /** Most records that wait for the broker's answer; further changes wait in the view's conflated backlog. */
    private static final int IN_FLIGHT = 256;

    /** A view that is not complete yet writes no heartbeat. After this time without any record it is better to begin anew. */
    private static final Duration LONGEST_SILENCE = Duration.ofMinutes(10);

    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(30);

    private final View<ObjectKey, T> view;
    private final KafkaTopic topic;
    private final KafkaClients clients;
    private final OutageLog outages;
    private final RowCodec<T> codec;
    private final long token;
    private final Timings timings;

    Publication(View<ObjectKey, T> view, KafkaTopic topic, RowCodec<T> codec, long token, Timings timings) {
        this.view = view;
        this.topic = topic;
        this.clients = new KafkaClients(topic);
        this.outages = new OutageLog(LOG, topic.toString(), Schedulers.parallel());
        this.codec = codec;
        this.token = token;
        this.timings = timings;
    }

    Mono<Void> run() {
        return Flux.usingWhen(
                        Mono.fromCallable(this::begin).subscribeOn(Schedulers.boundedElastic())
                                .doOnDiscard(Disposable.class, Disposable::dispose),
                        Turn::writes,
                        turn -> Mono.fromRunnable(turn::dispose).subscribeOn(Schedulers.boundedElastic()))
                .retryWhen(Retry.backoff(Long.MAX_VALUE, timings.pause()).maxBackoff(LONGEST_PAUSE).transientErrors(true)
                        .filter(failure -> failure instanceof TransportException)
                        .doBeforeRetry(again -> outages.failed(again.failure(), "publishing again", timings.pause())))
                .then();
    }

    private Turn begin() {
        clients.createTopic(timings.deletionsKept());
        Producer<byte[], byte[]> producer = clients.producer();
        Consumer<byte[], byte[]> consumer = null;
        try {
            long fence = producer.send(TopicRecord.fence(topic.name(), token)).get(KafkaClients.PATIENCE.toMillis(), TimeUnit.MILLISECONDS)
                    .offset();
            consumer = clients.consumer();
            consumer.seekToBeginning(List.of(clients.partition));
            return new Turn(producer, consumer, new Term(token, fence));
        } catch (RuntimeException | ExecutionException | TimeoutException | InterruptedException failure) {
            producer.close(Duration.ZERO);
            if (consumer != null) {
                consumer.close(CloseOptions.timeout(Duration.ZERO));
            }
            if (failure instanceof InterruptedException) {
                Thread.currentThread().interrupt();
            }
            throw failed(failure);
        }
    }

    private TransportException failed(Throwable failure) {
        return new TransportException("cannot publish to " + topic + ": " + failure, failure);
    }

    /** One try, until a write fails, with a term of its own. Its state is used by one worker at a time. */
    private final class Turn implements Disposable {

        private static final Object ENDED = new Object();

        private final Producer<byte[], byte[]> producer;
        private final TopicReading.From from;
        private final Term term;
        private final Sinks.Empty<Void> tookOver = Sinks.empty();

        /** What the topic had before this term; after the takeover, what of it the view has not confirmed or replaced yet. */
        private final Replay before = new Replay();
        private boolean reading = true;
        private boolean synced;
        private long rows;

        Turn(Producer<byte[], byte[]> producer, Consumer<byte[], byte[]> consumer, Term term) {
            this.producer = producer;
            this.term = term;
            this.from = new TopicReading.From(consumer, clients.partition, Long.MAX_VALUE, LONGEST_SILENCE, (records, at) -> {});
        }

        @Override
        public void dispose() {
            producer.close(Duration.ZERO);
            from.closeIfUnread();
        }

        /** Also reads the topic all the time, to notice other publishers. Completes when the view is stopped. */
        Flux<Void> writes() {
            Flux<Object> changes = tookOver.asMono().thenMany(Flux.defer(view::changes)).cast(Object.class).concatWithValues(ENDED);
            Flux<Object> beats = Flux.interval(timings.heartbeat()).onBackpressureDrop().cast(Object.class);
            return Flux.merge(from.records(), changes, beats)
                    .publishOn(Schedulers.boundedElastic())
                    .takeWhile(step -> step != ENDED)
                    .flatMap(step -> sent(records(step)), IN_FLIGHT);
        }

        private List<TopicRecord> records(Object step) {
            if (step instanceof ConsumerRecord<?, ?> read) {
                @SuppressWarnings("unchecked") // by construction, see writes
                var record = (ConsumerRecord<byte[], byte[]>) read;
                return reading ? takeOver(record) : repair(record);
            }
            if (step instanceof Change<?, ?> any) {
                @SuppressWarnings("unchecked") // as above
                var change = (Change<ObjectKey, T>) any;
                return change.match(
                        added -> written(added.key(), added.entry(), true),
                        updated -> written(updated.key(), updated.entryAfter(), false),
                        this::deleted,
                        complete -> completed());
            }
            return synced ? List.of(heartbeat()) : List.of();
        }

        /** Reads what there was before, up to the record with which this term began. */
        private List<TopicRecord> takeOver(ConsumerRecord<byte[], byte[]> record) {
            before.add(record);
            if (record.offset() >= term.fence()) {
                requireGreatest(before.greatest());
                reading = false;
                tookOver.tryEmitEmpty();
            }
            return List.of();
        }

        private void requireGreatest(Term other) {
            if (other.compareTo(term) > 0) {
                throw new SupersededException(topic + " has another publisher: its term is " + other + ", and here it is " + term);
            }
        }

        /**
         * Writes again what a publisher of a smaller term has written after this one began: readers ignore it, but compaction would keep
         * that record, and not the one before. Waits for the complete view, which alone says what does not exist.
         */
        private List<TopicRecord> repair(ConsumerRecord<byte[], byte[]> read) {
            TopicRecord record = TopicRecord.of(read);
            if (record == null || record.term().equals(term)) {
                return List.of();
            }
            requireGreatest(record.term());
            if (!(record instanceof TopicRecord.Row late)) {
                return synced ? List.of(heartbeat()) : List.of();
            }
            if (!synced) {
                before.late.put(late.key(), late);
                return List.of();
            }
            return List.of(valid(late));
        }

        private TopicRecord.Row valid(TopicRecord.Row late) {
            Versioned<T> current = view.snapshot().find(late.key());
            return current == null ? late.gone(term) : row(late.key(), current, false);
        }

        private List<TopicRecord> written(ObjectKey key, Versioned<T> entry, boolean added) {
            rows += added ? 1 : 0;
            Replay.Kept there = before.rows.remove(key);
            TopicRecord.Row row = row(key, entry, added && there == null);
            boolean late = before.late.remove(key) != null;
            return !late && there != null && there.row().hasStateOf(row) ? List.of() : List.of(row);
        }

        private List<TopicRecord> deleted(Change.Deleted<ObjectKey, T> deleted) {
            rows--;
            before.rows.remove(deleted.key());
            return List.of(row(deleted.key(), deleted.entry(), false).gone(term));
        }

        /** The view is complete, so what it has not emitted does not exist any more. */
        private List<TopicRecord> completed() {
            List<TopicRecord> records = new ArrayList<>();
            before.rows.values().forEach(kept -> records.add(kept.row().gone(term)));
            before.late.keySet().removeAll(before.rows.keySet());
            before.late.values().forEach(late -> records.add(valid(late)));
            before.rows.clear();
            before.late.clear();
            synced = true;
            records.add(heartbeat());
            return records;
        }

        private TopicRecord.Row row(ObjectKey key, Versioned<T> entry, boolean added) {
            byte[] value = Objects.requireNonNull(codec.encode(entry.object()), () -> "the codec returned null for the row of " + key);
            return new TopicRecord.Row(key, value, null, term, entry.uid(), added);
        }

        private TopicRecord heartbeat() {
            return new TopicRecord.Synced(term, rows, view.snapshot().resourceVersion().orElse(null));
        }

        /** Hands the records to the producer in this call, in this order; completes when the broker has all of them. */
        private Mono<Void> sent(List<TopicRecord> records) {
            return Mono.when(records.stream().map(record -> send(TopicRecord.write(topic.name(), record))).toList());
        }

        private Mono<Void> send(ProducerRecord<byte[], byte[]> record) {
            Sinks.Empty<Void> acknowledged = Sinks.empty();
            try {
                var unused = producer.send(record, (metadata, failure) -> {
                    if (failure == null) {
                        outages.ended("written again", "");
                        acknowledged.tryEmitEmpty();
                    } else {
                        acknowledged.tryEmitError(failed(failure));
                    }
                });
            } catch (KafkaException failure) {
                return Mono.error(failed(failure));
            }
            return acknowledged.asMono();
        }
    }
}
