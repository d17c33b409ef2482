package io.reactiveinformer.kafka;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.regex.Pattern;
import org.apache.kafka.clients.consumer.ConsumerConfig;
import org.apache.kafka.common.config.ConfigException;
import org.apache.kafka.common.serialization.ByteArrayDeserializer;

import static java.util.stream.Collectors.joining;

/**
 * A topic that holds one view, and how to reach it. The topic must have one partition, so that its records have one order, and must be
 * compacted. {@link KafkaViews#publish} creates it if it does not exist.
 *
 * @param name the name of the topic
 * @param properties properties of Kafka's clients, such as {@code bootstrap.servers} and {@code security.protocol}; each client is given
 *     all of them. They may contain passwords, so {@link #toString} does not print them
 */
public record KafkaTopic(String name, Map<String, Object> properties) {

    /** One or more of {@code host:port}, as Kafka's clients read them. */
    private static final Pattern SERVERS = Pattern.compile("\\s*[^,\\s]+:\\d+\\s*(,\\s*[^,\\s]+:\\d+\\s*)*");

    /**
     * @throws IllegalArgumentException if {@code name} is empty, {@code properties} have no {@code bootstrap.servers} with a port, or
     *     Kafka's consumer does not accept the value of one of them
     */
    public KafkaTopic {
        if (name.isEmpty()) {
            throw new IllegalArgumentException("a topic must have a name");
        }
        properties = Map.copyOf(properties);
        Object servers = properties.getOrDefault("bootstrap.servers", "");
        String addresses = servers instanceof List<?> list ? list.stream().map(String::valueOf).collect(joining(",")) : servers.toString();
        if (!SERVERS.matcher(addresses).matches()) {
            throw new IllegalArgumentException(
                    "topic " + name + ": bootstrap.servers must have addresses such as broker:9092, was \"" + servers + "\"");
        }
        try {
            Map<String, Object> ofConsumer = new HashMap<>(properties);
            ofConsumer.put(ConsumerConfig.KEY_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
            ofConsumer.put(ConsumerConfig.VALUE_DESERIALIZER_CLASS_CONFIG, ByteArrayDeserializer.class);
            ConsumerConfig.configDef().parse(ofConsumer);
        } catch (ConfigException wrong) {
            throw new IllegalArgumentException("topic " + name + ": " + wrong.getMessage(), wrong);
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
