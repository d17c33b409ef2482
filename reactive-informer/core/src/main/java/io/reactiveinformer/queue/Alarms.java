package io.reactiveinformer.queue;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * Keys that are delayed, and one timer for the one that is due first. Guarded by its queue, but for {@link #arm}: a timer may run what is due at
 * once, and others wait for whoever holds the guard.
 */
final class Alarms<K> {

    private final Scheduler timer;
    private final Runnable ring;
    private final TreeSet<Entry<K>> entries =
            new TreeSet<>(Comparator.<Entry<K>>comparingLong(one -> one.due).thenComparingLong(one -> one.alarmNumber));
    private Disposable alarm = Disposables.disposed();
    private long armedFor = Entry.NEVER;
    private long armings;
    private long numbers;

    /** @param ring called when something is due, not under the guard */
    Alarms(Scheduler timer, Runnable ring) {
        this.timer = timer;
        this.ring = ring;
    }

    /** Of two times the earlier one counts, of two priorities the higher. */
    void set(Entry<K> entry, long due, int priority) {
        entry.duePriority = entry.due == Entry.NEVER ? priority : Math.max(priority, entry.duePriority);
        if (due < entry.due) {
            entries.remove(entry);
            entry.due = due;
            entry.alarmNumber = numbers++;
            entries.add(entry);
        }
    }

    /** Returns whether there was one. */
    boolean cancel(Entry<K> entry) {
        boolean delayed = entries.remove(entry);
        entry.due = Entry.NEVER;
        return delayed; // the timer may ring in vain
    }

    /** The next that is due, which is then no longer kept; null if none is. To be called until then when it has rung. */
    @Nullable Entry<K> poll(long now) {
        if (entries.isEmpty() || entries.first().due > now) {
            armedFor = Entry.NEVER;
            return null;
        }
        Entry<K> first = entries.first();
        cancel(first);
        return first;
    }

    /** When the timer is to ring, of several such times the latest to be worked out. */
    record Arming(long due, long number) {}

    /** Null if the timer need not be armed. Else {@link #arm} is to follow, not under the guard, and then {@link #armed}. */
    @Nullable Arming toArm() {
        if (entries.isEmpty() || entries.first().due >= armedFor) {
            return null;
        }
        armedFor = entries.first().due;
        return new Arming(armedFor, ++armings);
    }

    Disposable arm(Arming arming) {
        return timer.schedule(ring, Math.max(1, arming.due - timer.now(TimeUnit.NANOSECONDS)), TimeUnit.NANOSECONDS);
    }

    /** Returns the alarm that is not needed any more: the one before, or this one, where another was worked out meanwhile. */
    Disposable armed(Arming arming, Disposable by) {
        if (arming.number != armings) {
            return by;
        }
        Disposable before = alarm;
        alarm = by;
        return before;
    }

    /** Whatever was armed may be lost: the timer is to be armed anew. */
    void lost() {
        armedFor = Entry.NEVER;
    }

    int size() {
        return entries.size();
    }

    /** {@link #disarm} is to follow. */
    void clear() {
        entries.forEach(entry -> entry.due = Entry.NEVER);
        entries.clear();
    }

    /** Returns the alarm, which is not needed any more; one that is being armed will not be either. */
    Disposable disarm() {
        armedFor = Entry.NEVER;
        armings++;
        Disposable before = alarm;
        alarm = Disposables.disposed();
        return before;
    }
}
