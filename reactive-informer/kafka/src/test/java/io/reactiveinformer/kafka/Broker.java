package io.reactiveinformer.kafka;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.function.Function;
import org.apache.kafka.clients.admin.AdminClient;
import org.slf4j.LoggerFactory;
import org.springframework.kafka.test.EmbeddedKafkaKraftBroker;

/** A broker of Kafka with its controller, in this JVM. */
final class Broker implements AutoCloseable {

    static { // a broker that a test stops is warned of by each client, each second
        ((Logger) LoggerFactory.getLogger("org.apache.kafka")).setLevel(Level.ERROR);
    }

    private final EmbeddedKafkaKraftBroker kafka = new EmbeddedKafkaKraftBroker(1, 1);

    Broker() {
        kafka.brokerProperties(Map.of(
                "auto.create.topics.enable", "false",
                "log.cleaner.backoff.ms", "100",
                "offsets.topic.num.partitions", "1"));
        kafka.afterPropertiesSet();
    }

    KafkaTopic topic(String name) {
        return KafkaTopic.of(kafka.getBrokersAsString(), name);
    }

    <R> R admin(Function<AdminClient, R> work) {
        return kafka.doWithAdminFunction(work);
    }

    void stop() {
        kafka.getCluster().brokers().values().forEach(broker -> broker.shutdown());
    }

    void start() {
        kafka.getCluster().brokers().values().forEach(broker -> broker.startup());
        try {
            kafka.getCluster().waitForReadyBrokers();
        } catch (ExecutionException failure) {
            throw new IllegalStateException(failure);
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(stopped);
        }
    }

    @Override
    public void close() {
        kafka.destroy();
    }
}
