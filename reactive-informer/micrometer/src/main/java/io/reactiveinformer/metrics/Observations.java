package io.reactiveinformer.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import reactor.util.context.ContextView;

/** Makes observations that are children of the one in a Reactor context. */
final class Observations {

    /** {@code ObservationThreadLocalAccessor.KEY}; that class needs context propagation on the class path, this module does not. */
    static final String KEY = "micrometer.observation";

    private Observations() {}

    /** The returned observation is not started. */
    static Observation childOf(ContextView context, String name, ObservationRegistry registry, Supplier<Observation.Context> observed) {
        Observation observation = Observation.createNotStarted(name, observed, registry);
        @Nullable Observation parent = context.getOrDefault(KEY, null);
        return parent == null ? observation : observation.parentObservation(parent);
    }
}
