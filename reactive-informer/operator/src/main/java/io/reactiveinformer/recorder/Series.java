package io.reactiveinformer.recorder;

import io.kubernetes.client.openapi.models.EventsV1Event;
import io.kubernetes.client.openapi.models.EventsV1EventSeries;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import org.jspecify.annotations.Nullable;

/** One Event and the count of its occurrences. Guarded by its {@link Ledger}. */
final class Series {

    /** The namespace of Events about objects without a namespace, as in client-go. */
    private static final String NAMESPACE_OF_THE_REST = "default";

    final Occurrence first;
    private final OffsetDateTime began;
    String name;
    private OffsetDateTime latest;
    int count = 1;
    private int written;
    long latestNanos;
    int failures;
    boolean pending = true;
    boolean finishing;

    Series(Occurrence first, String name, long millis, long nanos) {
        this.first = first;
        this.name = name;
        this.began = time(millis);
        this.latest = began;
        this.latestNanos = nanos;
    }

    void again(long millis, long nanos) {
        count++;
        latest = time(millis);
        latestNanos = nanos;
        finishing = false;
    }

    /**
     * Occurrences with equal keys are one series.
     *
     * @param action empty, with {@code related} and {@code note} null, for combined occurrences
     */
    record Key(ObjectReference regarding, @Nullable ObjectReference related, Occurrence.Type type,
            String reason, String action, @Nullable String note) {

        static Key of(Occurrence occurrence) {
            ObjectReference related = occurrence.related();
            return new Key(occurrence.regarding().withoutVersion(), related == null ? null : related.withoutVersion(),
                    occurrence.type(), occurrence.reason(), occurrence.action(), occurrence.note());
        }

        /** The key of all occurrences of one type for one object and one reason, as client-go aggregates them. */
        static Key combined(Occurrence occurrence) {
            return new Key(occurrence.regarding().whole(), null, occurrence.type(), occurrence.reason(), "", null);
        }
    }

    private static OffsetDateTime time(long millis) {
        return Instant.ofEpochMilli(millis).atOffset(ZoneOffset.UTC);
    }

    String namespace() {
        String namespace = first.regarding().namespace();
        return namespace == null ? NAMESPACE_OF_THE_REST : namespace;
    }

    /** Whether the server has the Event. */
    boolean exists() {
        return written > 0;
    }

    /** Whether the server has the Event with a single occurrence, so that the second is written at once. */
    boolean writtenAsOne() {
        return written == 1;
    }

    int unwritten() {
        return count - written;
    }

    void written(int upTo) {
        written = Math.max(written, upTo);
        failures = 0;
    }

    /** The whole Event, to be created. */
    EventsV1Event whole(RecorderOptions by) {
        var event = new EventsV1Event()
                .metadata(new V1ObjectMeta().namespace(namespace()).name(name))
                .eventTime(began)
                .reportingController(by.reportingController())
                .reportingInstance(by.reportingInstance())
                .type(first.type().wire())
                .reason(first.reason())
                .action(first.action())
                .note(EventText.note(first.note())) // cut again: the prefix of combined events may have been added
                .regarding(first.regarding().model());
        if (first.related() != null) {
            event.related(first.related().model());
        }
        return count > 1 ? event.series(series()) : event;
    }

    /** The patch of an existing Event. */
    EventsV1Event change() {
        return new EventsV1Event().series(series());
    }

    private EventsV1EventSeries series() {
        return new EventsV1EventSeries().count(count).lastObservedTime(latest);
    }
}
