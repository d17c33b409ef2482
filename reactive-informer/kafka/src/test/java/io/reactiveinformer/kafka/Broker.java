package io.reactiveinformer.kafka;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.common.TopicPartitionInfo;
import org.apache.kafka.common.test.KafkaClusterTestKit;
import org.apache.kafka.common.test.TestKitNodes;
import org.slf4j.LoggerFactory;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Schedulers;

/** Brokers of Kafka, mostly one, with their controller, in this JVM. */
final class Broker implements AutoCloseable {

    static { // a broker that a test stops is warned of by each client, each second
        ((Logger) LoggerFactory.getLogger("org.apache.kafka")).setLevel(Level.ERROR);
        ((Logger) LoggerFactory.getLogger("kafka")).setLevel(Level.OFF);
    }

    private final KafkaClusterTestKit kafka;

    Broker() {
        this(1);
    }

    /** @param brokers each of which has a replica of each partition */
    Broker(int brokers) {
        try {
            kafka = new KafkaClusterTestKit.Builder(new TestKitNodes.Builder().setNumBrokerNodes(brokers).setNumControllerNodes(1).build())
                    .setConfigProp("auto.create.topics.enable", "false")
                    .setConfigProp("default.replication.factor", Integer.toString(brokers))
                    .setConfigProp("broker.heartbeat.interval.ms", "100") // a start and a stop take several
                    .setConfigProp("broker.session.timeout.ms", "2000") // which a broker that starts again waits for
                    .setConfigProp("log.cleaner.backoff.ms", "100")
                    .setConfigProp("offsets.topic.num.partitions", "1")
                    .build();
            kafka.format();
            kafka.startup();
            kafka.waitForReadyBrokers();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }

    KafkaTopic topic(String name) {
        return KafkaTopic.of(kafka.bootstrapServers(), name);
    }

    <R> R admin(Function<Admin, R> work) {
        try (Admin admin = Admin.create(kafka.clientProperties())) {
            return work.apply(admin);
        }
    }

    /** The number of the broker that leads the only partition of {@code topic}. */
    int leaderOf(KafkaTopic topic) {
        return partition(topic).leader().id();
    }

    void awaitReplicas(KafkaTopic topic, int inSync) {
        Flux.interval(Duration.ZERO, Duration.ofMillis(100), Schedulers.boundedElastic()).onBackpressureDrop()
                .filter(tick -> partition(topic).isr().size() == inSync).blockFirst(Duration.ofSeconds(60));
    }

    private TopicPartitionInfo partition(KafkaTopic topic) {
        return admin(admin -> admin.describeTopics(List.of(topic.name())).allTopicNames()
                .toCompletionStage().toCompletableFuture().join()).get(topic.name()).partitions().get(0);
    }

    void stop(int broker) {
        Objects.requireNonNull(kafka.brokers().get(broker)).shutdown();
    }

    void start(int broker) {
        Objects.requireNonNull(kafka.brokers().get(broker)).startup();
        try {
            kafka.waitForReadyBrokers();
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    void stop() {
        kafka.brokers().keySet().forEach(this::stop);
    }

    void start() {
        kafka.brokers().keySet().forEach(this::start);
    }

    @Override
    public void close() {
        try {
            kafka.close();
        } catch (Exception failure) {
            throw new IllegalStateException(failure);
        }
    }
}
