package io.reactiveinformer.spring;

import io.reactiveinformer.informer.Informer;
import io.reactiveinformer.kafka.KafkaTopic;
import io.reactiveinformer.kafka.KafkaViews;
import io.reactiveinformer.kafka.RowCodec;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongConsumer;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.core.ResolvableType;
import org.springframework.util.ClassUtils;

/** Makes the informers over the topics that properties declare. */
final class DeclaredTopics {

    static final String METHOD = "view";

    private final KafkaProperties properties;
    private final BeanFactory beans;
    private final Map<String, AtomicLong> lags = new LinkedHashMap<>();

    DeclaredTopics(KafkaProperties properties, BeanFactory beans) {
        this.properties = properties;
        this.beans = beans;
        properties.views().keySet().forEach(name -> lags.put(name, new AtomicLong()));
    }

    /** Called by the bean factory, for the bean of {@code name}. */
    Informer<?> view(String name) {
        AtomicLong lag = Objects.requireNonNull(lags.get(name), name);
        return view(topic(name), rowsOf(name, declared(name)), lag::set);
    }

    private <T> Informer<T> view(KafkaTopic topic, Class<T> rows, LongConsumer lag) {
        ObjectProvider<RowCodec<T>> codec = beans.getBeanProvider(ResolvableType.forClassWithGenerics(RowCodec.class, rows));
        return KafkaViews.view(topic, codec.getIfAvailable(() -> RowCodec.json(rows)), lag);
    }

    private KafkaProperties.Topic declared(String name) {
        return Objects.requireNonNull(properties.views().get(name), name);
    }

    private KafkaTopic topic(String name) {
        String topic = declared(name).topic();
        if (topic == null || topic.isBlank()) {
            throw new InformerConfigurationException(property(name) + ".topic is missing", "Set it to the name of the topic.");
        }
        Map<String, Object> ofClients = new HashMap<>(properties.properties());
        ofClients.put("bootstrap.servers", Objects.requireNonNull(properties.bootstrapServers()));
        try {
            return new KafkaTopic(topic, ofClients);
        } catch (IllegalArgumentException wrong) {
            throw new InformerConfigurationException(String.valueOf(wrong.getMessage()),
                    "Correct " + KafkaProperties.PREFIX + ".bootstrap-servers, or the property below " + KafkaProperties.PREFIX
                            + ".properties.",
                    wrong);
        }
    }

    /** The number of records that each view has yet to read, by the description of its informer. */
    Map<String, AtomicLong> lags() {
        Map<String, AtomicLong> described = new LinkedHashMap<>();
        lags.forEach((name, lag) -> described.put(topic(name).toString(), lag));
        return described;
    }

    /** The class that {@link KafkaProperties.Topic#type} names. */
    static Class<?> rowsOf(String name, KafkaProperties.Topic declared) {
        String type = declared.type();
        if (type == null || type.isBlank()) {
            throw new InformerConfigurationException(
                    property(name) + ".type is missing", "Set it to the full name of the class of the rows.");
        }
        try {
            return ClassUtils.forName(type, ClassUtils.getDefaultClassLoader());
        } catch (ClassNotFoundException | LinkageError missing) {
            throw new InformerConfigurationException(property(name) + ".type: there is no class " + type,
                    "Set it to the full name of the class of the rows, with a dollar sign before the name of a nested class.", missing);
        }
    }

    private static String property(String name) {
        return KafkaProperties.PREFIX + ".views." + name;
    }
}
