package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The state of each key of a queue. Guarded by its queue; times are nanoseconds of its timer.
 *
 * <pre>
 *  delayed ──due, or added──▶ dirty: in line ──taken──▶ running ──over──▶ forgotten
 *                                  ▲                      │
 *                                  └────over, and dirty───┘
 * </pre>
 * A key that was held while it was worked on is not in line, even if it is dirty.
 */
final class Keys<K> {

    private final Function<? super K, ?> classes;
    private final long headStart;
    private final Map<K, Entry<K>> entries = new HashMap<>();
    private final Line<K> line = new Line<>();
    private final Set<Entry<K>> running = new LinkedHashSet<>();
    private final Alarms<K> alarms;
    private long numbers;

    Keys(Function<? super K, ?> classes, Duration headStart, Alarms<K> alarms) {
        this.classes = classes;
        this.headStart = headStart.toNanos();
        this.alarms = alarms;
    }

    private Entry<K> entry(K key) {
        return entries.computeIfAbsent(Objects.requireNonNull(key, "key"), first -> new Entry<>(key, Objects.requireNonNull(classes.apply(key))));
    }

    private void forgetIfIdle(Entry<K> entry) {
        if (entry.isIdle()) {
            entries.remove(entry.key);
        }
    }

    /** Returns whether the key was not dirty before. */
    boolean add(K key, int priority, long now) {
        Entry<K> entry = entry(key);
        int highest = entry.due == Entry.NEVER ? priority : Math.max(priority, entry.duePriority);
        alarms.cancel(entry);
        return add(entry, highest, now);
    }

    private boolean add(Entry<K> entry, int priority, long now) {
        boolean news = !entry.dirty;
        if (news) {
            entry.dirty = true;
            entry.priority = priority;
            if (!entry.isBlocked()) {
                lineUp(entry, now);
            }
        } else if (priority > entry.priority) {
            entry.priority = priority;
            if (entry.inLine) {
                line.rerank(entry, rank(entry));
            }
        }
        return news;
    }

    private void lineUp(Entry<K> entry, long now) {
        entry.since = now;
        entry.number = numbers++;
        entry.rank = rank(entry);
        line.add(entry);
        entry.inLine = true;
    }

    private long rank(Entry<K> entry) {
        return Saturated.minus(entry.since, Saturated.times(entry.priority, headStart));
    }

    /** Delays {@code key}; no effect if it is dirty. */
    void delay(K key, long due) {
        Entry<K> entry = entry(key);
        if (!entry.dirty) {
            alarms.set(entry, due, 0);
        }
    }

    boolean cancelDelay(K key) {
        Entry<K> entry = entries.get(key);
        if (entry == null || !alarms.cancel(entry)) {
            return false;
        }
        forgetIfIdle(entry);
        return true;
    }

    /** Makes the keys that are due dirty; returns how many of them were not dirty before. */
    int ring(long now) {
        int news = 0;
        for (Entry<K> entry = alarms.poll(now); entry != null; entry = alarms.poll(now)) {
            news += add(entry, entry.duePriority, now) ? 1 : 0;
        }
        return news;
    }

    /** The next entry in line; null if there is none. */
    @Nullable Entry<K> next() {
        return line.peek();
    }

    /** Takes {@code next}, the next entry in line, and marks it as running. */
    void take(Entry<K> next, long now) {
        running.add(next);
        line.poll();
        next.dirty = false;
        next.inLine = false;
        next.running = true;
        next.runPriority = next.priority;
        next.since = now;
    }

    /**
     * Lines up and delays all entries anew: an Error may have interrupted a change between an entry and the order in which it is kept.
     * Returns false if there was another one.
     */
    boolean mend() {
        boolean mended = true;
        line.clear();
        running.clear();
        alarms.empty();
        for (Entry<K> entry : entries.values()) {
            try {
                restore(entry);
            } catch (Throwable again) {
                mended = false;
            }
        }
        return mended;
    }

    private void restore(Entry<K> entry) {
        entry.inLine = false;
        if (entry.due != Entry.NEVER) {
            alarms.restore(entry);
        }
        if (entry.running) {
            running.add(entry);
        }
        if (entry.dirty && !entry.isBlocked()) {
            line.add(entry);
            entry.inLine = true;
        }
    }

    /** The end of a key's work: how long it took, and whether the key has become dirty, which it was not before. */
    record End(Duration took, boolean added) {}

    /**
     * Ends the work on {@code key}.
     *
     * @param next when it is to be worked on again, with its priority, unless it is dirty; {@link Entry#NEVER} for not at all
     */
    End end(K key, long now, long next) {
        Entry<K> entry = Objects.requireNonNull(entries.get(key));
        long took = now - entry.since;
        entry.running = false; // before anything that may throw: nobody ends the work again
        running.remove(entry);
        boolean added = false;
        if (entry.dirty) {
            entry.priority = next == Entry.NEVER ? entry.priority : Math.max(entry.priority, entry.runPriority);
            if (entry.holds == 0) {
                lineUp(entry, now);
            }
        } else if (next <= now) {
            int priority = entry.due == Entry.NEVER ? entry.runPriority : Math.max(entry.runPriority, entry.duePriority);
            alarms.cancel(entry);
            added = add(entry, priority, now);
        } else if (next != Entry.NEVER) {
            alarms.set(entry, next, entry.runPriority);
        }
        forgetIfIdle(entry);
        return new End(Duration.ofNanos(took), added);
    }

    void hold(K key) {
        entry(key).holds++;
    }

    void release(K key, long now) {
        Entry<K> entry = entries.get(key);
        if (entry != null && entry.holds > 0 && --entry.holds == 0) {
            lineUpIfDirty(entry, now);
            forgetIfIdle(entry);
        }
    }

    void releaseAll(long now) {
        entries.values().stream().filter(entry -> entry.holds > 0).forEach(entry -> {
            entry.holds = 0;
            lineUpIfDirty(entry, now);
        });
        entries.values().removeIf(Entry::isIdle);
    }

    private void lineUpIfDirty(Entry<K> entry, long now) {
        if (entry.dirty && !entry.running && !entry.inLine) {
            lineUp(entry, now);
        }
    }

    /** Drops all delays; returns the number of them. */
    int dropDelayed() {
        int dropped = alarms.size();
        alarms.clear();
        entries.values().removeIf(Entry::isIdle);
        return dropped;
    }

    /** Drops all dirty keys, in line or not; returns the number of them. */
    int dropDirty() {
        int dropped = 0;
        for (Entry<K> entry : entries.values()) {
            dropped += entry.dirty ? 1 : 0;
            entry.dirty = false;
            entry.inLine = false;
        }
        line.clear();
        entries.values().removeIf(Entry::isIdle);
        return dropped;
    }

    int ready() {
        return line.size();
    }

    int delayed() {
        return alarms.size();
    }

    int running() {
        return running.size();
    }

    WorkQueue.Unfinished unfinished(long now) {
        long total = 0;
        long longest = 0;
        for (Entry<K> entry : running) {
            total += now - entry.since;
            longest = Math.max(longest, now - entry.since);
        }
        return new WorkQueue.Unfinished(running.size(), Duration.ofNanos(total), Duration.ofNanos(longest));
    }
}
