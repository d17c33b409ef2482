package io.reactiveinformer.metrics;

import io.micrometer.core.instrument.Counter;
import io.reactiveinformer.recorder.EventRecorder;
import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import io.reactiveinformer.resource.KubernetesException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Counts the written and the dropped Events of one recorder. */
final class RecorderMeters implements EventRecorder.Observer {

    private final Meters meters;
    private final String reporter;
    private final Counter written;

    RecorderMeters(Meters meters, String reporter) {
        this.meters = meters;
        this.reporter = reporter;
        this.written = Counter.builder("events.written").description("Writes of Events").tags(meters.tags("reporter", reporter))
                .register(meters.registry());
    }

    @Override
    public void written(Occurrence first, int count) {
        written.increment();
    }

    @Override
    public void dropped(Occurrence occurrence, int times, Drop why, @Nullable KubernetesException cause) {
        Counter.builder("events.dropped")
                .description("Occurrences of Events that were not written")
                .tags(meters.tags("reporter", reporter, "why", why.name().toLowerCase(Locale.ROOT).replace('_', '-')))
                .register(meters.registry())
                .increment(times);
    }
}
