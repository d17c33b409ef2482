package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import java.util.concurrent.atomic.AtomicBoolean;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The registry of the meters, and the tags that all of them have. */
record Meters(MeterRegistry registry, Tags common) {

    private static final Logger LOG = LoggerFactory.getLogger(InformerMetrics.class);

    Tags tags(String... own) {
        return common.and(own);
    }

    /**
     * Runs {@code record}. If it throws, that is logged the first time, and not rethrown: a failing meter must not end the measured work.
     */
    static void contained(AtomicBoolean logged, String what, Runnable record) {
        try {
            record.run();
        } catch (Throwable thrown) { // of a registry: what is measured goes on
            if (!logged.getAndSet(true)) {
                LOG.warn("a registry threw, and the meters of {} may be wrong from now on; further failures are not logged", what, thrown);
            }
        }
    }
}
