package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Where each key of a queue stands. Guarded by its queue; times are nanoseconds of its timer.
 *
 * <pre>
 *  delayed ──due, or added──▶ dirty: in line ──taken──▶ running ──over──▶ forgotten
 *                                  ▲                      │
 *                                  └────over, and dirty───┘
 * </pre>
 */
final class Keys<K> {

    private final Function<? super K, ?> classes;
    private final long headStart;
    private final Map<K, Entry<K>> entries = new HashMap<>();
    private final Line<K> line = new Line<>();
    private final Alarms<K> alarms;
    private int running;
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
        alarms.cancel(entry);
        return add(entry, priority, now);
    }

    private boolean add(Entry<K> entry, int priority, long now) {
        boolean news = !entry.dirty;
        if (news) {
            entry.dirty = true;
            entry.priority = priority;
            if (!entry.running) {
                lineUp(entry, now);
            }
        } else if (priority > entry.priority) {
            entry.priority = priority;
            if (!entry.running) {
                line.remove(entry);
                rank(entry);
                line.add(entry);
            }
        }
        return news;
    }

    private void lineUp(Entry<K> entry, long now) {
        entry.since = now;
        entry.number = numbers++;
        rank(entry);
        line.add(entry);
    }

    private void rank(Entry<K> entry) {
        entry.rank = Saturated.minus(entry.since, Saturated.times(entry.priority, headStart));
    }

    /** Has no effect on a key that is dirty. */
    void delay(K key, long due) {
        Entry<K> entry = entry(key);
        if (!entry.dirty) {
            alarms.set(entry, due);
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

    /** What is due becomes dirty; returns how many that were not. */
    int ring(long now) {
        int news = 0;
        for (Entry<K> entry = alarms.poll(now); entry != null; entry = alarms.poll(now)) {
            news += add(entry, 0, now) ? 1 : 0;
        }
        return news;
    }

    /** The next in line, which is worked on from now on; its {@link Entry#since} is still when it was added. Null if there is none. */
    @Nullable Entry<K> take() {
        Entry<K> entry = line.poll();
        if (entry != null) {
            entry.dirty = false;
            entry.running = true;
            running++;
        }
        return entry;
    }

    /**
     * The work on {@code key} is over.
     *
     * @param next when it is to be worked on again, if it is not dirty; {@link Entry#NEVER} for never
     * @return how long it took
     */
    Duration end(K key, long now, long next) {
        Entry<K> entry = Objects.requireNonNull(entries.get(key));
        Duration took = Duration.ofNanos(now - entry.since);
        entry.running = false;
        running--;
        if (entry.dirty) {
            lineUp(entry, now);
        } else if (next <= now) {
            alarms.cancel(entry);
            add(entry, 0, now);
        } else if (next != Entry.NEVER) {
            alarms.set(entry, next);
        }
        forgetIfIdle(entry);
        return took;
    }

    void dropDelayed() {
        alarms.clear();
        entries.values().removeIf(Entry::isIdle);
    }

    void dropDirty() {
        line.clear();
        entries.values().forEach(entry -> entry.dirty = false);
        entries.values().removeIf(Entry::isIdle);
    }

    int ready() {
        return line.size();
    }

    int delayed() {
        return alarms.size();
    }

    int running() {
        return running;
    }

    WorkQueue.Unfinished unfinished(long now) {
        long total = 0;
        long longest = 0;
        for (Entry<K> entry : entries.values()) {
            if (entry.running) {
                total += now - entry.since;
                longest = Math.max(longest, now - entry.since);
            }
        }
        return new WorkQueue.Unfinished(running, Duration.ofNanos(total), Duration.ofNanos(longest));
    }
}
