package io.reactiveinformer.recorder;

import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import org.jspecify.annotations.Nullable;

/**
 * The key of a series: occurrences with equal keys are one series.
 *
 * @param action empty, with {@code related} and {@code note} null, for combined occurrences
 */
record SeriesKey(
        ObjectReference regarding, @Nullable ObjectReference related, Occurrence.Type type,
        String reason, String action, @Nullable String note) {

    static SeriesKey of(Occurrence occurrence) {
        ObjectReference related = occurrence.related();
        return new SeriesKey(occurrence.regarding().withoutVersion(), related == null ? null : related.withoutVersion(),
                occurrence.type(), occurrence.reason(), occurrence.action(), occurrence.note());
    }

    /** The key of all occurrences of one type for one object and one reason, as client-go aggregates them. */
    static SeriesKey combined(Occurrence occurrence) {
        return new SeriesKey(occurrence.regarding().whole(), null, occurrence.type(), occurrence.reason(), "", null);
    }
}
