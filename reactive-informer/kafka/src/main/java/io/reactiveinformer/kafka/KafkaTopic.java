package io.reactiveinformer.kafka;

import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * A topic that holds one view, and how to reach it. The topic must have one partition, so that its records have one order, and must be
 * compacted. {@link KafkaViews#publish} creates it if it does not exist.
 *
 * @param name the name of the topic
 * @param properties properties of Kafka's clients, such as {@code bootstrap.servers} and {@code security.protocol}; each client is given
 *     all of them. They may contain passwords, so {@link #toString} does not print them
 */
public record KafkaTopic(String name, Map<String, Object> properties) {

    /** @throws IllegalArgumentException if {@code name} is empty, or {@code properties} have no {@code bootstrap.servers} */
    public KafkaTopic {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a topic must have a name");
        }
        properties = Map.copyOf(properties);
        if (!properties.containsKey("bootstrap.servers")) {
            throw new IllegalArgumentException("topic " + name + ": the properties need bootstrap.servers, such as broker:9092");
        }
    }

    /** The topic {@code name} of the cluster with {@code bootstrapServers}, such as {@code broker-0:9092,broker-1:9092}. */
    public static KafkaTopic of(String bootstrapServers, String name) {
        return new KafkaTopic(name, Map.of("bootstrap.servers", bootstrapServers));
    }

    /** A copy with one more property of Kafka's clients, which replaces an earlier one. */
    public KafkaTopic withProperty(String key, Object value) {
        Map<String, Object> more = new HashMap<>(properties);
        more.put(key, Objects.requireNonNull(value, "value"));
        return new KafkaTopic(name, more);
    }

    @Override
    public String toString() {
        return "topic " + name + " at " + properties.get("bootstrap.servers");
    }
}
