/**
 * What Micrometer counts of clients, informers, controllers and elections. Optional: used only by who has a {@code MeterRegistry}, and needed by nothing
 * else here. {@link io.reactiveinformer.metrics.InformerMetrics} is where it begins; {@link io.reactiveinformer.metrics.InformerObservations} is the same for traces.
 */
@NullMarked
package io.reactiveinformer.metrics;

import org.jspecify.annotations.NullMarked;
