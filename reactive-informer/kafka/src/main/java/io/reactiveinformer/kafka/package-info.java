/**
 * Views that are published to a Kafka topic, and read from it in other JVMs. Optional; no other module depends on it. Start with
 * {@link io.reactiveinformer.kafka.KafkaViews}.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.kafka;

import org.jspecify.annotations.NullMarked;
