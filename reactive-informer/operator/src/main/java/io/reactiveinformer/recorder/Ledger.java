package io.reactiveinformer.recorder;

import io.kubernetes.client.openapi.models.EventsV1Event;
import io.reactiveinformer.recorder.EventRecorder.Observer.Drop;
import io.reactiveinformer.recorder.EventRecorder.Occurrence;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The series of occurrences, and which of them must be written. Thread-safe. Calls only the clock and the random
 * numbers under its lock.
 */
final class Ledger {

    /** The length of the queue in client-go. */
    static final int MOST_PENDING = 1_000;
    /** As many as client-go's correlator keeps. */
    static final int MOST_REMEMBERED = Correlator.REMEMBERED;

    private final RecorderOptions options;
    private final Correlator correlator = new Correlator();
    private final Map<Series.Key, Series> series = new LinkedHashMap<>(16, 0.75f, true); // in access order
    private int pending;
    private boolean closed;

    Ledger(RecorderOptions options) {
        this.options = options;
    }

    /**
     * The effect of an occurrence.
     *
     * @param toWrite the series to write now
     * @param dropped why the occurrence was dropped; null if it was not
     */
    record Noted(List<Series.Key> toWrite, @Nullable Drop dropped) {}

    /**
     * One write of an Event.
     *
     * @param series the series; to be used only in this class
     * @param namespace the namespace of the Event
     * @param name the name of the Event
     * @param whole the Event to create, if it is new or no longer exists
     * @param change the patch of an existing Event; null if it is new
     * @param count the count that is written
     */
    record Write(Series series, String namespace, String name, EventsV1Event whole, @Nullable EventsV1Event change, int count) {}

    synchronized Noted note(Occurrence occurrence) {
        if (closed) {
            return new Noted(List.of(), Drop.CLOSED);
        }
        long now = options.timer().now(TimeUnit.NANOSECONDS);
        long millis = millis();
        boolean combined = correlator.combines(occurrence, now);
        Series.Key key = combined ? Series.Key.combined(occurrence) : Series.Key.of(occurrence);
        Series known = series.get(key);
        if (known != null) {
            known.again(millis, now);
            var next = new Noted(List.of(key), null); // allocated before await: nothing may be thrown after it
            return known.writtenAsOne() && await(known) ? next : new Noted(List.of(), null);
        }
        if (pending >= MOST_PENDING) {
            return new Noted(List.of(), Drop.FULL);
        }
        if (!correlator.admits(occurrence.regarding(), now)) {
            return new Noted(List.of(), Drop.SPAM);
        }
        String name = name(occurrence); // before any change of state, as it may throw
        List<Series.Key> toWrite = new ArrayList<>(2);
        if (series.size() >= MOST_REMEMBERED) {
            finishEldest(toWrite);
        }
        Occurrence first = combined ? occurrence.noting(Correlator.PREFIX + occurrence.note()) : occurrence;
        toWrite.add(key);
        var noted = new Noted(toWrite, null);
        series.put(key, new Series(first, name, millis, now));
        pending++;
        return noted;
    }

    private long millis() {
        return options.timer().now(TimeUnit.MILLISECONDS);
    }

    private String name(Occurrence occurrence) {
        return EventText.name(occurrence.regarding().name(), millis(), options.random());
    }

    /** Marks the series as waiting to be written; false if it is marked already. */
    private boolean await(Series entry) {
        if (entry.pending) {
            return false;
        }
        entry.pending = true;
        pending++;
        return true;
    }

    private void settle(Series entry) {
        if (entry.pending) {
            entry.pending = false;
            pending--;
        }
    }

    private void finishEldest(List<Series.Key> toWrite) {
        series.entrySet().stream().filter(entry -> !entry.getValue().pending).findFirst().ifPresent(eldest -> {
            if (finish(eldest.getValue())) {
                toWrite.add(eldest.getKey());
            } else {
                series.remove(eldest.getKey());
            }
        });
    }

    /** Marks the series for its last write; false if there is nothing to write. */
    private boolean finish(Series entry) {
        if (entry.unwritten() == 0) {
            return false;
        }
        entry.finishing = true;
        await(entry);
        return true;
    }

    /**
     * The series that {@code which} accepts, and may mark. Nothing is allocated after it has marked one, so that each
     * marked series is also returned, even if memory is short.
     */
    private List<Series.Key> list(Predicate<Series> which) {
        List<Series.Key> listed = new ArrayList<>(series.size());
        series.forEach((key, entry) -> {
            if (which.test(entry)) {
                listed.add(key);
            }
        });
        return listed;
    }

    /** Marks and returns the series with occurrences since the last write, also those whose write may have been lost. */
    synchronized List<Series.Key> refresh() {
        return list(entry -> {
            boolean listed = entry.unwritten() > 0;
            if (listed) {
                await(entry);
            }
            return listed;
        });
    }

    /** Removes the series that had no occurrence for {@code idle}; returns those that must be written before that. */
    synchronized List<Series.Key> finish(Duration idle) {
        long now = options.timer().now(TimeUnit.NANOSECONDS);
        Predicate<Series> rests = entry -> !entry.pending && now - entry.latestNanos >= idle.toNanos();
        series.values().removeIf(entry -> rests.test(entry) && entry.unwritten() == 0);
        return list(entry -> rests.test(entry) && finish(entry));
    }

    /** Accepts no more occurrences; returns the series that are still to be written. */
    synchronized List<Series.Key> close() {
        closed = true;
        return list(this::finish);
    }

    /** The write of the series; null if there is nothing to write. */
    synchronized @Nullable Write begin(Series.Key key) {
        Series entry = series.get(key);
        if (entry == null || entry.unwritten() == 0) {
            return null;
        }
        return new Write(entry, entry.namespace(), entry.name, entry.whole(options), entry.exists() ? entry.change() : null,
                entry.count);
    }

    /**
     * Counts a successful write. Returns whether the series must be written again at once: because it had a second
     * occurrence during the first write, or because it finishes.
     */
    synchronized boolean written(Series.Key key, Write write, int count) {
        Series entry = write.series();
        entry.written(count);
        if (entry.unwritten() > 0 && (entry.writtenAsOne() || entry.finishing)) {
            return true;
        }
        settle(entry);
        if (entry.finishing) {
            series.remove(key, entry);
        }
        return false;
    }

    /** Counts a failed try; returns the number of failed tries in a row. */
    synchronized int failed(Write write) {
        return ++write.series().failures;
    }

    /** Whether an earlier try got no answer, so that it may have created the Event. */
    synchronized boolean mayExist(Write write) {
        return write.series().failures > 0;
    }

    synchronized void rename(Write write) {
        write.series().name = name(write.series().first);
        write.series().failures++;
    }

    /** Removes the series; returns the number of its unwritten occurrences. */
    synchronized int drop(Series.Key key, Write write) {
        settle(write.series());
        series.remove(key, write.series());
        return write.series().unwritten();
    }

    /** Removes all series; returns those with unwritten occurrences. */
    synchronized List<Series> rest() {
        List<Series> rest = series.values().stream().filter(entry -> entry.unwritten() > 0).toList();
        series.clear();
        pending = 0;
        return rest;
    }

    synchronized int pending() {
        return pending;
    }

    synchronized int remembered() {
        return series.size();
    }
}
