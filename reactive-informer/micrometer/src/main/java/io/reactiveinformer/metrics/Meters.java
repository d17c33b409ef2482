package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Where meters are registered, and the tags that all of them have. */
record Meters(MeterRegistry registry, Tags common) {

    private static final Logger LOG = LoggerFactory.getLogger(InformerMetrics.class);

    Tags tags(String... own) {
        return common.and(own);
    }

    /** Logs what {@code record} throws, unless {@code logged} says that it was: what is measured must not end by it. */
    static void contained(AtomicBoolean logged, String what, Runnable record) {
        try {
            record.run();
        } catch (Throwable thrown) {
            if (!logged.getAndSet(true)) {
                LOG.warn("a registry threw, and the meters of {} may be wrong from now on; more of this is not logged", what, thrown);
            }
        }
    }
}
