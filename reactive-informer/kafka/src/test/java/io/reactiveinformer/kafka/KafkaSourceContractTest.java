package io.reactiveinformer.kafka;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.source.ListerWatcher;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.test.contract.ListerWatcherContract;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.AlterConfigOp;
import org.apache.kafka.clients.admin.ConfigEntry;
import org.apache.kafka.clients.admin.RecordsToDelete;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.common.config.ConfigResource;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/** What a reflector expects of a server, of a topic. */
@Timeout(120)
@ExtendWith(SharedBroker.class)
class KafkaSourceContractTest extends ListerWatcherContract {

    private static final Timings TIMINGS =
            new Timings(Duration.ofMillis(100), Duration.ofSeconds(20), Duration.ofHours(24), Duration.ofMillis(50));

    private static Broker broker;

    private final TestView<ObjectKey, String> view = TestView.of(Map.of());
    private KafkaTopic topic;
    private KafkaSource<String> source;
    private Disposable publication;

    @BeforeAll
    static void useBroker(Broker shared) {
        broker = shared;
    }

    @BeforeEach
    void publish(TestInfo test) {
        topic = broker.topic(test.getTestMethod().orElseThrow().getName());
        RowCodec<String> codec = RowCodec.json(String.class);
        source = new KafkaSource<>(topic, codec, TIMINGS);
        publication = new Publication<>(view, topic, codec, 1, TIMINGS).run().subscribe();
        settle();
    }

    @AfterEach
    void close() {
        publication.dispose();
    }

    @Override
    protected ListerWatcher<?> source() {
        return source;
    }

    @Override
    protected void create(String name) {
        view.put(ObjectKey.of("t", name), "new");
        settle();
    }

    @Override
    protected void change(String name) {
        view.put(ObjectKey.of("t", name), "changed");
    }

    @Override
    protected void delete(String name) {
        view.remove(ObjectKey.of("t", name));
    }

    @Override
    protected void forgetHistory() {
        var clients = new KafkaClients(topic);
        settle();
        try (Consumer<byte[], byte[]> consumer = clients.consumer()) {
            long end = consumer.endOffsets(List.of(clients.partition)).get(clients.partition);
            var config = new ConfigResource(ConfigResource.Type.TOPIC, topic.name()); // a compacted topic does not allow it
            var policy = new AlterConfigOp(new ConfigEntry("cleanup.policy", "delete"), AlterConfigOp.OpType.SET);
            broker.admin(admin -> admin.incrementalAlterConfigs(Map.of(config, List.of(policy))).all()
                    .toCompletionStage().toCompletableFuture().join());
            broker.admin(admin -> admin.deleteRecords(Map.of(clients.partition, RecordsToDelete.beforeOffset(end))).all()
                    .toCompletionStage().toCompletableFuture().join());
        }
    }

    @Override
    protected boolean hasPages() {
        return false;
    }

    /** Until a heartbeat says that there are as many rows as here. */
    private void settle() {
        Mono.fromCallable(() -> {
            var clients = new KafkaClients(topic);
            clients.requireTopic();
            try (Consumer<byte[], byte[]> consumer = clients.consumer()) {
                consumer.seekToBeginning(List.of(clients.partition));
                for (int polls = 0; polls < 200; polls++) {
                    for (var record : consumer.poll(Duration.ofMillis(100))) {
                        if (TopicRecord.of(record) instanceof TopicRecord.Synced synced && synced.rows() == view.snapshot().size()) {
                            return true;
                        }
                    }
                }
            }
            throw new AssertionError(Objects.toString(topic) + " was not complete");
        }).retryWhen(Retry.fixedDelay(200, Duration.ofMillis(50)).scheduler(Schedulers.boundedElastic())
                .filter(failure -> failure instanceof TransportException)).block();
    }
}
