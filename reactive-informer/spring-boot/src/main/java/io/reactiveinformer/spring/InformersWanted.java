package io.reactiveinformer.spring;

import org.springframework.boot.autoconfigure.condition.AnyNestedCondition;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;

/** Informers of a cluster are not disabled, or topics of Kafka are configured. */
final class InformersWanted extends AnyNestedCondition {

    InformersWanted() {
        super(ConfigurationPhase.PARSE_CONFIGURATION);
    }

    @ConditionalOnProperty(prefix = ReactiveInformerProperties.PREFIX, name = "enabled", matchIfMissing = true)
    static final class OfCluster {}

    @ConditionalOnProperty(prefix = KafkaProperties.PREFIX, name = "bootstrap-servers")
    static final class OfTopics {}
}
