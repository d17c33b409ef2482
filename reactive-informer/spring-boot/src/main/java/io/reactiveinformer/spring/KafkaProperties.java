package io.reactiveinformer.spring;

import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.bind.DefaultValue;

/**
 * Topics of Kafka that are read as views. The sentences of the parameters are what editors show.
 *
 * @param bootstrapServers Addresses of brokers, such as 'broker-0:9092,broker-1:9092'. Topics are read only if it is set.
 * @param properties Further properties of Kafka's clients, such as 'security.protocol'.
 * @param views Views by name. Each is an informer, and a bean of that name followed by 'View'.
 */
@ConfigurationProperties(KafkaProperties.PREFIX)
record KafkaProperties(
        @Nullable String bootstrapServers, @DefaultValue Map<String, String> properties, @DefaultValue Map<String, Topic> views) {

    static final String PREFIX = ReactiveInformerProperties.PREFIX + ".kafka";

    /** Without the properties, which may contain a password. */
    @Override
    public String toString() {
        return "KafkaProperties[bootstrapServers=" + bootstrapServers + ", views=" + views + "]";
    }

    /**
     * One view.
     *
     * @param topic Name of the topic.
     * @param type Full name of the class of the rows. They are read as JSON, unless a 'RowCodec' of that class is a bean.
     */
    public record Topic(@Nullable String topic, @Nullable String type) {}
}
