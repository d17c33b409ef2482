package io.reactiveinformer.recorder;

import org.jspecify.annotations.Nullable;

/**
 * What happens again is what is equal in this.
 *
 * @param action empty, {@code related} and {@code note} null where several are combined
 */
record SeriesKey(
        ObjectReference regarding, @Nullable ObjectReference related, Occurrence.Type type, String reason, String action, @Nullable String note) {

    static SeriesKey of(Occurrence occurrence) {
        ObjectReference related = occurrence.related();
        return new SeriesKey(occurrence.regarding().withoutVersion(), related == null ? null : related.withoutVersion(),
                occurrence.type(), occurrence.reason(), occurrence.action(), occurrence.note());
    }

    /** All about one object for one reason, as client-go aggregates them. */
    static SeriesKey combined(Occurrence occurrence) {
        return new SeriesKey(occurrence.regarding().whole(), null, occurrence.type(), occurrence.reason(), "", null);
    }
}
