package io.reactiveinformer.kafka;

import io.reactiveinformer.client.ListOptions;
import io.reactiveinformer.client.WatchOptions;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Reading;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.test.TestView;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** A topic that its broker really compacts, down to the last record of each row, without those of deleted rows. */
@Timeout(120)
@ExtendWith(SharedBroker.class)
class CompactionTest {

    private static final Duration PATIENCE = Duration.ofSeconds(60);
    private static final ObjectKey A = ObjectKey.of("t", "a");
    private static final ObjectKey B = ObjectKey.of("t", "b");

    /** Deletions are dropped at once, so a reader may not lag behind at all. */
    private static final Timings FORGETFUL =
            new Timings(Duration.ofMillis(50), Duration.ofSeconds(20), Duration.ofMillis(1), Duration.ofMillis(50));

    private final RowCodec<String> codec = RowCodec.json(String.class);

    @Test
    void aReaderThatWasAwayForTooLongReadsAgainWhatIsLeft(Broker broker) {
        KafkaTopic topic = broker.topic("compacted");
        broker.admin(admin -> admin.createTopics(List.of(new NewTopic("compacted", Optional.of(1), Optional.empty()).configs(Map.of(
                "cleanup.policy", "compact", "delete.retention.ms", "1", "segment.ms", "100", "min.cleanable.dirty.ratio", "0.01"))))
                .all().toCompletionStage().toCompletableFuture().join());
        TestView<ObjectKey, String> view = TestView.of(Map.of(A, "0", B, "0"));
        Disposable publication = new Publication<>(view, topic, codec, 1, FORGETFUL).run().subscribe();
        KafkaSource<String> reader = new KafkaSource<>(topic, codec, FORGETFUL);
        String version = awaitRows(reader, Map.of(A, "0", B, "0"));
        for (int i = 1; i <= 50; i++) {
            view.put(A, Integer.toString(i));
        }
        view.remove(B);

        var clients = new KafkaClients(topic);
        await(() -> recordsOf(clients, B) == 0);
        assertThatThrownBy(() -> reader.watch(WatchOptions.from(version, Duration.ofMinutes(1)), Reading.anew()).blockLast(PATIENCE))
                .isInstanceOf(ResourceVersionExpiredException.class);
        awaitRows(reader, Map.of(A, "50"));
        publication.dispose();
    }

    private static long recordsOf(KafkaClients clients, ObjectKey key) {
        try (Consumer<byte[], byte[]> consumer = clients.consumer()) {
            consumer.seekToBeginning(List.of(clients.partition));
            long end = consumer.endOffsets(List.of(clients.partition)).get(clients.partition);
            long count = 0;
            while (consumer.position(clients.partition) < end) {
                for (var record : consumer.poll(Duration.ofMillis(50))) {
                    count += TopicRecord.of(record) instanceof TopicRecord.Row row && row.key().equals(key) ? 1 : 0;
                }
            }
            return count;
        }
    }

    /** Returns the version of the list. */
    private static String awaitRows(KafkaSource<String> reader, Map<ObjectKey, String> wanted) {
        return Objects.requireNonNull(Flux.interval(Duration.ZERO, Duration.ofMillis(50), Schedulers.boundedElastic()).onBackpressureDrop()
                .concatMap(tick -> reader.list(ListOptions.defaults(), Reading.anew()).collectList().onErrorResume(failure -> Mono.empty()))
                .filter(list -> rows(list).equals(wanted))
                .map(list -> ((ObjectEvent.PageEnd<String>) list.get(list.size() - 1)).resourceVersion())
                .blockFirst(PATIENCE));
    }

    private static Map<ObjectKey, String> rows(List<ObjectEvent<String>> list) {
        Map<ObjectKey, String> rows = new TreeMap<>();
        for (ObjectEvent<String> event : list) {
            if (event instanceof ObjectEvent.Applied<String> item) {
                rows.put(item.key(), item.entry().object());
            }
        }
        return rows;
    }

    private static void await(BooleanSupplier condition) {
        Flux.interval(Duration.ZERO, Duration.ofMillis(100), Schedulers.boundedElastic()).onBackpressureDrop()
                .filter(tick -> condition.getAsBoolean()).blockFirst(PATIENCE);
    }

    @Test
    void aRecordOfAnotherProgramIsPassedOver() {
        var foreign = new ConsumerRecord<>("t", 0, 5, "//statistics".getBytes(StandardCharsets.UTF_8), new byte[0]);
        assertThat(TopicRecord.of(foreign)).isNull();
        assertThat(Term.parse("7.12")).isEqualTo(new Term(7, 12));
        assertThat(Term.parse("7")).isNull();
        assertThat(Term.parse("a.b")).isNull();
    }
}
