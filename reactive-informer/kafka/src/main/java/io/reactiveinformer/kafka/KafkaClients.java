package io.reactiveinformer.kafka;

import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;
import org.apache.kafka.clients.admin.Admin;
import org.apache.kafka.clients.admin.AdminClientConfig;
import org.apache.kafka.clients.admin.Config;
import org.apache.kafka.clients.admin.NewTopic;
import org.apache.kafka.clients.admin.TopicDescription;
import org.apache.kafka.clients.consumer.Consumer;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.clients.consumer.KafkaConsumer;
import org.apache.kafka.clients.producer.KafkaProducer;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerConfig;
import org.apache.kafka.common.KafkaException;
import org.apache.kafka.common.KafkaFuture;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.apache.kafka.common.config.ConfigResource;
import org.apache.kafka.common.config.TopicConfig;
import org.apache.kafka.common.errors.TopicExistsException;
import org.apache.kafka.common.errors.UnknownTopicOrPartitionException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.jspecify.annotations.Nullable;

/** Makes Kafka's clients for one topic. All methods block, for {@link #PATIENCE} at most. */
final class KafkaClients {

    static final Duration PATIENCE = Duration.ofSeconds(20);

    private final KafkaTopic topic;
    final TopicPartition partition;

    KafkaClients(KafkaTopic topic) {
        this.topic = topic;
        this.partition = new TopicPartition(topic.name(), 0);
    }

    /** Reads from the only partition; belongs to no group, and commits nothing. */
    Consumer<byte[], byte[]> consumer() {
        Map<String, Object> config = new HashMap<>(topic.properties());
        config.put(ConsumerConfig.ENABLE_AUTO_COMMIT_CONFIG, false);
        config.put(ConsumerConfig.AUTO_OFFSET_RESET_CONFIG, "none"); // an offset that is gone is an error here
        config.put(ConsumerConfig.ALLOW_AUTO_CREATE_TOPICS_CONFIG, false);
        config.put(ConsumerConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
        config.remove(ConsumerConfig.GROUP_ID_CONFIG);
        Consumer<byte[], byte[]> consumer =
                made(() -> new KafkaConsumer<>(config, new ByteArrayDeserializer(), new ByteArrayDeserializer()));
        consumer.assign(List.of(partition));
        return consumer;
    }

    /** Keeps the order of the records of a key when it repeats one, and writes none twice. */
    Producer<byte[], byte[]> producer() {
        Map<String, Object> config = new HashMap<>(topic.properties());
        config.put(ProducerConfig.ENABLE_IDEMPOTENCE_CONFIG, true);
        config.put(ProducerConfig.ACKS_CONFIG, "all");
        config.put(ProducerConfig.MAX_BLOCK_MS_CONFIG, PATIENCE.toMillis());
        config.putIfAbsent(ProducerConfig.LINGER_MS_CONFIG, 0);
        config.putIfAbsent(ProducerConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis() / 2);
        config.putIfAbsent(ProducerConfig.DELIVERY_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
        return made(() -> new KafkaProducer<>(config, new ByteArraySerializer(), new ByteArraySerializer()));
    }

    /**
     * The identity of the topic, which another topic of the same name does not have.
     *
     * @throws TransportException if the topic does not exist, or has more than one partition
     */
    Uuid requireTopic() {
        try (Admin admin = admin()) {
            TopicDescription there = Objects.requireNonNull(
                    get(admin.describeTopics(List.of(topic.name())).allTopicNames(), "describe").get(topic.name()));
            if (there.partitions().size() != 1) {
                throw new TransportException(topic + " has " + there.partitions().size()
                        + " partitions, and must have one, so that its records have one order", null);
            }
            return there.topicId();
        }
    }

    /** Creates the topic if it does not exist, and checks how it is configured. */
    void createTopic(Duration deletionsKept) {
        try (Admin admin = admin()) {
            try {
                NewTopic wanted = new NewTopic(topic.name(), Optional.of(1), Optional.empty()).configs(Map.of(
                        TopicConfig.CLEANUP_POLICY_CONFIG, TopicConfig.CLEANUP_POLICY_COMPACT,
                        TopicConfig.DELETE_RETENTION_MS_CONFIG, Long.toString(deletionsKept.toMillis())));
                get(admin.createTopics(List.of(wanted)).all(), "create");
                return; // as wanted; and not each broker knows it at once
            } catch (TransportException failure) {
                if (!(failure.getCause() instanceof TopicExistsException)) {
                    throw failure;
                }
            }
            var resource = new ConfigResource(ConfigResource.Type.TOPIC, topic.name());
            Config config = Objects.requireNonNull(
                    get(admin.describeConfigs(List.of(resource)).all(), "read the configuration of").get(resource));
            String policy = config.get(TopicConfig.CLEANUP_POLICY_CONFIG).value();
            if (!policy.equals(TopicConfig.CLEANUP_POLICY_COMPACT)) {
                throw new TransportException(topic + " has " + TopicConfig.CLEANUP_POLICY_CONFIG + "=" + policy + ", and needs "
                        + TopicConfig.CLEANUP_POLICY_COMPACT + ": the last record of each row must stay", null);
            }
            String kept = config.get(TopicConfig.DELETE_RETENTION_MS_CONFIG).value();
            if (Long.parseLong(kept) < deletionsKept.toMillis()) {
                throw new TransportException(topic + " has " + TopicConfig.DELETE_RETENTION_MS_CONFIG + "=" + kept + ", and needs at least "
                        + deletionsKept.toMillis() + ": readers that were away rely on it", null);
            }
        }
    }

    private Admin admin() {
        Map<String, Object> config = new HashMap<>(topic.properties());
        config.put(AdminClientConfig.DEFAULT_API_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis());
        config.put(AdminClientConfig.REQUEST_TIMEOUT_MS_CONFIG, (int) PATIENCE.toMillis() / 2);
        config.put(AdminClientConfig.METADATA_RECOVERY_STRATEGY_CONFIG, "none"); // the other one spins while no broker is there
        return made(() -> Admin.create(config));
    }

    /**
     * Makes a client. The name of a broker that is away may be unknown for a while, as it is in Kubernetes. Kafka loads classes by the
     * context class loader of the thread; that of a shared thread may be one of another application, without Kafka.
     */
    private <C> C made(Supplier<C> client) {
        Thread thread = Thread.currentThread();
        ClassLoader context = thread.getContextClassLoader();
        try {
            thread.setContextClassLoader(hasKafka(context) ? context : KafkaClients.class.getClassLoader());
            return client.get();
        } catch (KafkaException failure) {
            throw new TransportException("cannot reach " + topic + ": "
                    + (failure.getCause() == null ? failure : failure.getCause().getMessage()), failure);
        } finally {
            thread.setContextClassLoader(context);
        }
    }

    private static boolean hasKafka(@Nullable ClassLoader loader) {
        try {
            return loader != null && loader.loadClass(KafkaConsumer.class.getName()) == KafkaConsumer.class;
        } catch (ClassNotFoundException | LinkageError without) {
            return false;
        }
    }

    private <R> R get(KafkaFuture<R> future, String what) {
        try {
            return future.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS);
        } catch (ExecutionException failure) {
            Throwable cause = failure.getCause();
            throw new TransportException("cannot " + what + " " + topic + ": " + (cause instanceof UnknownTopicOrPartitionException
                    ? "there is no such topic; the first publisher creates it" : cause), cause);
        } catch (TimeoutException late) {
            throw new TransportException("cannot " + what + " " + topic + ": no answer within " + PATIENCE.toSeconds() + " s", late);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new TransportException("cannot " + what + " " + topic + ": interrupted", stopped);
        }
    }
}
