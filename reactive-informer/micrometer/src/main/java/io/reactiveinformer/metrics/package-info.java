/**
 * Micrometer meters and observations of clients, informers, controllers and elections. Optional: for applications with a
 * {@code MeterRegistry}; no other module depends on it. Start with {@link io.reactiveinformer.metrics.InformerMetrics}, for traces with
 * {@link io.reactiveinformer.metrics.InformerObservations}.
 *
 * @since 0.1.0
 */
@NullMarked
package io.reactiveinformer.metrics;

import org.jspecify.annotations.NullMarked;
