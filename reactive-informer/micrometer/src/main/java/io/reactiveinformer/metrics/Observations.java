package io.reactiveinformer.metrics;

import io.micrometer.observation.Observation;
import io.micrometer.observation.ObservationRegistry;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import reactor.util.context.ContextView;

/** Starts and ends observations in one registry, and catches what its handlers throw, so that the observed work does not depend on them. */
final class Observations {

    /**
     * {@code ObservationThreadLocalAccessor.KEY}, as a constant: that class needs context propagation on the class path, and this module
     * does not.
     */
    static final String KEY = "micrometer.observation";

    private static final Logger LOG = LoggerFactory.getLogger(InformerObservations.class);

    private final ObservationRegistry registry;
    private final AtomicBoolean logged = new AtomicBoolean();

    Observations(ObservationRegistry registry) {
        this.registry = registry;
    }

    /**
     * Starts a child of the observation in a Reactor context.
     *
     * @param naming adds names and values before the start
     * @return {@link Observation#NOOP} if the observation could not be created. An observation whose start failed is returned, since other
     *     handlers may have started it
     */
    Observation start(ContextView context, String name, Supplier<Observation.Context> observed, Consumer<Observation> naming) {
        Observation[] started = {Observation.NOOP};
        contain(() -> {
            Observation observation = Observation.createNotStarted(name, observed, registry);
            @Nullable Observation parent = context.getOrDefault(KEY, null);
            if (parent != null) {
                observation.parentObservation(parent);
            }
            naming.accept(observation);
            started[0] = observation;
            observation.start();
        });
        return started[0];
    }

    /** @param naming adds names and values before the end */
    void end(Observation observation, @Nullable Throwable cause, Consumer<Observation> naming) {
        contain(() -> {
            naming.accept(observation);
            if (cause != null) {
                observation.error(cause);
            }
        });
        contain(observation::stop);
    }

    private void contain(Runnable what) {
        try {
            what.run();
        } catch (Throwable thrown) { // of a registry or tracer: what is observed goes on
            if (!logged.getAndSet(true)) {
                LOG.warn("an observation failed; the observed work goes on, and further failures are not logged", thrown);
            }
        }
    }
}
