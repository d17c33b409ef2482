package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;

/** Where meters are registered, and the tags that all of them have. */
record Meters(MeterRegistry registry, Tags common) {

    Tags tags(String... own) {
        return common.and(own);
    }
}
