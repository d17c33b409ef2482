package io.reactiveinformer.recorder;

import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import java.time.Duration;
import java.util.HashSet;
import java.util.Set;

/**
 * Decides which occurrences are combined into one Event, by the rules and numbers of client-go's {@code EventAggregator}. Not thread-safe.
 */
final class Aggregation {

    static final String PREFIX = "(combined from similar events): ";
    static final int SIMILAR = 10;
    static final Duration APART = Duration.ofMinutes(10);
    static final int REMEMBERED = 4_096;

    private final Recent<SeriesKey, Notes> similar = new Recent<>(REMEMBERED);

    private static final class Notes {
        final Set<String> different = new HashSet<>();
        long latest;
    }

    /**
     * Whether to combine this occurrence with similar ones: true if {@link #SIMILAR} - 1 other notes came before it, each at most
     * {@link #APART} after the one before.
     */
    boolean combines(Occurrence occurrence, long now) {
        Notes notes = similar.get(SeriesKey.combined(occurrence), Notes::new);
        if (now - notes.latest > APART.toNanos()) {
            notes.different.clear();
        }
        notes.latest = now;
        if (notes.different.size() < SIMILAR - 1) {
            notes.different.add(occurrence.note());
            return false;
        }
        return !notes.different.contains(occurrence.note());
    }
}
