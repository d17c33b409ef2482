package io.reactiveinformer.recorder;

import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/**
 * Decides which occurrences are combined into one Event, and which new Events are too many, by the rules and numbers of
 * client-go's {@code EventAggregator} and {@code EventSourceObjectSpamFilter}. Not thread-safe.
 */
final class Correlator {

    static final String PREFIX = "(combined from similar events): ";
    static final int SIMILAR = 10;
    static final Duration APART = Duration.ofMinutes(10);
    static final int BURST = 25;
    static final Duration REFILL = Duration.ofMinutes(5);
    static final int REMEMBERED = 4_096;

    private final Map<Series.Key, Notes> similar = new Recent<>();
    private final Map<ObjectReference, Bucket> buckets = new Recent<>();

    /** The most recently used entries. */
    private static final class Recent<K, V> extends LinkedHashMap<K, V> {

        private static final long serialVersionUID = 1L;

        Recent() {
            super(16, 0.75f, true);
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > REMEMBERED;
        }
    }

    private static final class Notes {
        final Set<String> different = new HashSet<>();
        long latest;
    }

    /** The tokens of one object: each new Event about it takes one. */
    private static final class Bucket {
        double tokens = BURST;
        long latest;

        Bucket(long now) {
            latest = now;
        }
    }

    /**
     * Whether to combine this occurrence with similar ones: true if {@link #SIMILAR} - 1 other notes came before it,
     * each at most {@link #APART} after the one before.
     */
    boolean combines(Occurrence occurrence, long now) {
        Notes notes = similar.computeIfAbsent(Series.Key.combined(occurrence), first -> new Notes());
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

    /** Whether there may be another new Event about {@code regarding}. */
    boolean admits(ObjectReference regarding, long now) {
        Bucket bucket = buckets.computeIfAbsent(regarding.whole(), first -> new Bucket(now));
        bucket.tokens = Math.min(BURST, bucket.tokens + (double) (now - bucket.latest) / REFILL.toNanos());
        bucket.latest = now;
        if (bucket.tokens < 1) {
            return false;
        }
        bucket.tokens--;
        return true;
    }
}
