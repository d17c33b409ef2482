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
 * The state of each key of a queue. Guarded by its queue; times are nanoseconds of its timer. An Error may interrupt a change after an
 * entry was changed and before the line, the delayed keys or the running keys were; the next change then derives these from the entries
 * first.
 *
 * <pre>
 *  delayed ──due, or added──▶ dirty: in line ──taken──▶ running ──over──▶ forgotten
 *                                  ▲                      │
 *                                  └────over, and dirty───┘
 * </pre>
 * A key that was held while it was worked on stays out of line until it is released, even if it is dirty.
 */
final class Keys<K> {

    private final Function<? super K, ?> classes;
    private final long headStart;
    private final Map<K, Entry<K>> entries = new HashMap<>();
    private final FairQueue<K> line = new FairQueue<>();
    private final Set<Entry<K>> running = new LinkedHashSet<>();
    private final DelayedKeys<K> delays;
    private long numbers;
    private boolean changing; // true outside of a change: the latest change was interrupted
    private boolean disorderly; // an entry could not be restored, and waits for another attempt

    Keys(Function<? super K, ?> classes, Duration headStart, DelayedKeys<K> delays) {
        this.classes = classes;
        this.headStart = headStart.toNanos();
        this.delays = delays;
    }

    /** Whether line, delayed keys and running keys may differ from the entries, because a change was interrupted. */
    boolean isDisorderly() {
        return changing || disorderly;
    }

    /** Makes the next change restore line, delayed keys and running keys first. */
    void doubt() {
        changing = true;
    }

    private void begin() {
        settle();
        changing = true;
    }

    private void settle() {
        if (changing) {
            disorderly = !putInOrder();
            changing = false;
        }
    }

    private void done() {
        changing = false;
    }

    private Entry<K> entry(K key) {
        settle();
        return entries.computeIfAbsent(Objects.requireNonNull(key, "key"),
                first -> new Entry<>(key, Objects.requireNonNull(classes.apply(key))));
    }

    private void forgetIfIdle(Entry<K> entry) {
        if (entry.isIdle()) {
            entries.remove(entry.key);
        }
    }

    /** Returns whether the key was not dirty before. */
    boolean add(K key, int priority, long now) {
        Entry<K> entry = entry(key);
        changing = true;
        int highest = entry.due == Entry.NEVER ? priority : Math.max(priority, entry.duePriority);
        delays.cancel(entry);
        boolean news = add(entry, highest, now);
        done();
        return news;
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
        return minus(entry.since, times(entry.priority, headStart));
    }

    /** The product; {@link Long#MIN_VALUE} or {@link Long#MAX_VALUE} instead of an overflow. */
    private static long times(int one, long other) {
        long high = Math.multiplyHigh(one, other);
        long low = one * other;
        return high == low >> 63 ? low : high < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** The difference, limited in the same way. */
    private static long minus(long one, long other) {
        long result = one - other;
        boolean turned = ((one ^ other) & (one ^ result)) < 0;
        return !turned ? result : one < 0 ? Long.MIN_VALUE : Long.MAX_VALUE;
    }

    /** Delays {@code key}; no effect if it is dirty. */
    void delay(K key, long due) {
        Entry<K> entry = entry(key);
        changing = true;
        if (!entry.dirty) {
            delays.set(entry, due, 0);
        }
        done();
    }

    boolean cancelDelay(K key) {
        Entry<K> entry = entries.get(key);
        if (entry == null) {
            return false;
        }
        begin();
        boolean cancelled = delays.cancel(entry);
        if (cancelled) {
            entry.pausedUntil = Entry.NO_PAUSE;
        }
        forgetIfIdle(entry);
        done();
        return cancelled;
    }

    /** Ends the pause of {@code key}, but not its delay: its next failure begins a pause of its own. */
    void forgetPause(K key) {
        Entry<K> entry = entries.get(key);
        if (entry != null) {
            entry.pausedUntil = Entry.NO_PAUSE;
        }
    }

    /** Makes the keys that are due dirty; returns how many of them were not dirty before. */
    int ring(long now) {
        begin();
        int news = 0;
        for (Entry<K> entry = delays.poll(now); entry != null; entry = delays.poll(now)) {
            news += add(entry, entry.duePriority, now) ? 1 : 0;
        }
        done();
        return news;
    }

    /** The next entry in line; null if there is none. */
    @Nullable Entry<K> next() {
        settle();
        return line.peek();
    }

    /** Takes {@code next}, the next entry in line, and marks it as running. */
    void take(Entry<K> next, long now) {
        begin();
        running.add(next);
        line.poll();
        next.dirty = false;
        next.inLine = false;
        next.running = true;
        next.runPriority = next.priority;
        next.since = now;
        done();
    }

    /**
     * Clears an addition since {@code entry} was taken: the work that begins now sees it, and its priority counts if the key is worked on
     * again. If the key is held, the addition waits for the release. Returns whether one was cleared.
     */
    boolean begins(Entry<K> entry) {
        boolean merged = entry.dirty && entry.holds == 0;
        if (merged) {
            entry.dirty = false;
            entry.runPriority = Math.max(entry.runPriority, entry.priority);
        }
        return merged;
    }

    /** Restores line, delayed keys and running keys from the entries. Returns false if that failed for an entry. */
    private boolean putInOrder() {
        boolean all = true;
        line.clear();
        running.clear();
        delays.empty();
        for (Entry<K> entry : entries.values()) {
            try {
                restore(entry);
            } catch (Throwable again) {
                all = false;
            }
        }
        return all;
    }

    private void restore(Entry<K> entry) {
        entry.inLine = false;
        if (entry.due != Entry.NEVER) {
            delays.restore(entry);
        }
        if (entry.running) {
            running.add(entry);
        }
        if (entry.dirty && !entry.isBlocked()) {
            line.add(entry);
            entry.inLine = true;
        }
    }

    /** The end of a key's work: how long it took, and whether the key became dirty by it. */
    record End(Duration took, boolean added) {}

    /**
     * Ends the work on {@code entry}.
     *
     * @param next when it is to be worked on again, with its priority, unless it is dirty; {@link Entry#NEVER} for not at all
     */
    End end(Entry<K> entry, long now, long next) {
        try {
            begin();
        } finally {
            entry.running = false; // even if begin() throws: the work is not ended again
        }
        long took = now - entry.since;
        running.remove(entry);
        boolean added = false;
        if (entry.dirty) {
            entry.priority = next == Entry.NEVER ? entry.priority : Math.max(entry.priority, entry.runPriority);
            if (entry.holds == 0) {
                lineUp(entry, now);
            }
        } else if (next <= now) {
            int priority = entry.due == Entry.NEVER ? entry.runPriority : Math.max(entry.runPriority, entry.duePriority);
            delays.cancel(entry);
            added = add(entry, priority, now);
        } else if (next != Entry.NEVER) {
            delays.set(entry, next, entry.runPriority);
        }
        forgetIfIdle(entry);
        var end = new End(Duration.ofNanos(took), added);
        done(); // last: the caller arms the timer only if this returns
        return end;
    }

    void hold(K key) {
        entry(key).holds++;
    }

    void release(K key, long now) {
        Entry<K> entry = entries.get(key);
        begin();
        if (entry != null && entry.holds > 0 && --entry.holds == 0) {
            lineUpIfDirty(entry, now);
            forgetIfIdle(entry);
        }
        done();
    }

    void releaseAll(long now) {
        begin();
        entries.values().stream().filter(entry -> entry.holds > 0).forEach(entry -> {
            entry.holds = 0;
            lineUpIfDirty(entry, now);
        });
        entries.values().removeIf(Entry::isIdle);
        done();
    }

    private void lineUpIfDirty(Entry<K> entry, long now) {
        if (entry.dirty && !entry.running && !entry.inLine) {
            lineUp(entry, now);
        }
    }

    /** Drops all delays; returns the number of them. */
    int dropDelayed() {
        begin();
        int dropped = delays.size();
        delays.clear();
        entries.values().removeIf(Entry::isIdle);
        done();
        return dropped;
    }

    /** Drops all dirty keys, in line or not; returns the number of them. */
    int dropDirty() {
        begin();
        int dropped = 0;
        for (Entry<K> entry : entries.values()) {
            dropped += entry.dirty ? 1 : 0;
            entry.dirty = false;
            entry.inLine = false;
        }
        line.clear();
        entries.values().removeIf(Entry::isIdle);
        done();
        return dropped;
    }

    int ready() {
        return line.size();
    }

    int delayed() {
        return delays.size();
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
