package io.reactiveinformer.recorder;

import io.kubernetes.client.openapi.models.EventsV1Event;
import io.reactiveinformer.recorder.RecorderObserver.Drop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** What has happened, and what of that is to be written. Any thread may call; no call leaves while its lock is held, but to the clock and to chance. */
final class Ledger {

    /** client-go's queue. */
    static final int MOST_PENDING = 1_000;
    /** As many as client-go's correlator remembers. */
    static final int MOST_REMEMBERED = Aggregation.REMEMBERED;

    private final RecorderOptions options;
    private final Aggregation aggregation = new Aggregation();
    private final SpamFilter spam = new SpamFilter();
    private final Map<SeriesKey, Series> series = new LinkedHashMap<>(16, 0.75f, true); // the one that was looked for last comes last, without a moment in which it is missing
    private int pending;
    private boolean closed;

    Ledger(RecorderOptions options) {
        this.options = options;
    }

    /**
     * What came of an occurrence.
     *
     * @param toWrite what is to be written now
     * @param dropped null if it was not
     */
    record Noted(List<SeriesKey> toWrite, @Nullable Drop dropped) {}

    /**
     * A write.
     *
     * @param series it is about; to be touched here only
     * @param whole to be created, if it is new or is not there any more
     * @param change to be patched in; null if it is new
     * @param count that it writes
     */
    record Write(Series series, String namespace, String name, EventsV1Event whole, @Nullable EventsV1Event change, int count) {}

    synchronized Noted note(Occurrence occurrence) {
        if (closed) {
            return new Noted(List.of(), Drop.CLOSED);
        }
        long now = options.timer().now(TimeUnit.NANOSECONDS);
        long millis = millis();
        boolean combined = aggregation.combines(occurrence, now);
        SeriesKey key = combined ? SeriesKey.combined(occurrence) : SeriesKey.of(occurrence);
        Series known = series.get(key);
        if (known != null) {
            known.again(millis, now);
            var next = new Noted(List.of(key), null); // before it waits: nothing may be thrown then
            return known.writtenAsOne() && await(known) ? next : new Noted(List.of(), null);
        }
        if (pending >= MOST_PENDING) {
            return new Noted(List.of(), Drop.FULL);
        }
        if (!spam.admits(occurrence.regarding(), now)) {
            return new Noted(List.of(), Drop.SPAM);
        }
        String name = name(occurrence); // may throw, so nothing waits yet
        List<SeriesKey> toWrite = new ArrayList<>(2);
        if (series.size() >= MOST_REMEMBERED) {
            finishEldest(toWrite);
        }
        Occurrence first = combined ? occurrence.noting(Aggregation.PREFIX + occurrence.note()) : occurrence;
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

    /** Whether it waits to be written only now. */
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

    private void finishEldest(List<SeriesKey> toWrite) {
        for (Iterator<Map.Entry<SeriesKey, Series>> entries = series.entrySet().iterator(); entries.hasNext(); ) {
            Map.Entry<SeriesKey, Series> eldest = entries.next();
            if (!eldest.getValue().pending) {
                if (finish(eldest.getValue())) {
                    toWrite.add(eldest.getKey());
                } else {
                    entries.remove();
                }
                return;
            }
        }
    }

    /** Whether there is anything left to write of it. */
    private boolean finish(Series entry) {
        if (entry.unwritten() == 0) {
            return false;
        }
        entry.finishing = true;
        await(entry);
        return true;
    }

    /** Series that have gone on since they were written. */
    synchronized List<SeriesKey> refresh() {
        List<SeriesKey> toWrite = new ArrayList<>();
        series.forEach((key, entry) -> {
            if (entry.unwritten() > 0 && await(entry)) {
                toWrite.add(key);
            }
        });
        return toWrite;
    }

    /** Forgets what has not happened for {@code idle}, once all of it is written. */
    synchronized List<SeriesKey> finish(Duration idle) {
        long now = options.timer().now(TimeUnit.NANOSECONDS);
        List<SeriesKey> toWrite = new ArrayList<>();
        series.entrySet().removeIf(entry -> {
            Series present = entry.getValue();
            if (present.pending || now - present.latestNanos < idle.toNanos()) {
                return false;
            }
            boolean more = finish(present);
            if (more) {
                toWrite.add(entry.getKey());
            }
            return !more;
        });
        return toWrite;
    }

    /** Takes no more; returns what is still to be written. */
    synchronized List<SeriesKey> close() {
        closed = true;
        List<SeriesKey> toWrite = new ArrayList<>();
        series.forEach((key, entry) -> {
            if (finish(entry)) {
                toWrite.add(key);
            }
        });
        return toWrite;
    }

    /** Null if there is nothing to write any more. */
    synchronized @Nullable Write begin(SeriesKey key) {
        Series entry = series.get(key);
        if (entry == null || entry.unwritten() == 0) {
            return null;
        }
        return new Write(entry, entry.namespace(), entry.name(), entry.whole(options), entry.exists() ? entry.change() : null, entry.count());
    }

    /** Whether there is more to be written at once: that it happened a second time while it was written for the first. */
    synchronized boolean written(SeriesKey key, Write write, int count) {
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

    /** How many tries in a row have failed. */
    synchronized int failed(Write write) {
        return ++write.series().failures;
    }

    /** Whether a try before was not answered, so that what is there already may be ours. */
    synchronized boolean mayExist(Write write) {
        return write.series().failures > 0;
    }

    synchronized void rename(Write write) {
        write.series().rename(name(write.series().first));
        write.series().failures++;
    }

    /** Forgets it; returns how often it had happened without being written. */
    synchronized int drop(SeriesKey key, Write write) {
        settle(write.series());
        series.remove(key, write.series());
        return write.series().unwritten();
    }

    /** Forgets all; returns what was not written. */
    synchronized List<Series> rest() {
        List<Series> rest = series.values().stream().filter(entry -> entry.unwritten() > 0).toList();
        series.clear();
        pending = 0;
        return rest;
    }

    /** Does not wait to be written any more: {@link #refresh} takes it up again. */
    synchronized void postpone(SeriesKey key) {
        Series entry = series.get(key);
        if (entry != null) {
            settle(entry);
        }
    }

    /** All that waits to be written. */
    synchronized List<SeriesKey> waiting() {
        List<SeriesKey> waiting = new ArrayList<>();
        series.forEach((key, entry) -> {
            if (entry.pending) {
                waiting.add(key);
            }
        });
        return waiting;
    }

    synchronized int pending() {
        return pending;
    }

    synchronized int remembered() {
        return series.size();
    }
}
