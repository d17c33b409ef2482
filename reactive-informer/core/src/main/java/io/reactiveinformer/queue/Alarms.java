package io.reactiveinformer.queue;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/**
 * The delayed keys, with one timer for the earliest. Guarded by its queue, except {@link #arm}: a timer may run its task within
 * {@code schedule}, and other threads would wait for the lock meanwhile.
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

    /** @param ring called when a delay is over, not under the lock of the queue */
    Alarms(Scheduler timer, Runnable ring) {
        this.timer = timer;
        this.ring = ring;
    }

    /** Delays {@code entry}. Of two times the earlier one counts, of two priorities the higher. */
    void set(Entry<K> entry, long due, int priority) {
        entry.duePriority = entry.due == Entry.NEVER ? priority : Math.max(priority, entry.duePriority);
        if (due < entry.due) {
            entries.remove(entry);
            entry.due = due;
            entry.alarmNumber = numbers++;
            entries.add(entry);
        }
    }

    /** Drops the delay of {@code entry}; returns whether there was one. */
    boolean cancel(Entry<K> entry) {
        boolean delayed = entries.remove(entry);
        entry.due = Entry.NEVER;
        return delayed; // the timer may fire in vain
    }

    /** Removes and returns the next entry that is due; null if none is. After the timer has fired, call it until it returns null. */
    @Nullable Entry<K> poll(long now) {
        if (entries.isEmpty() || entries.first().due > now) {
            armedFor = Entry.NEVER;
            return null;
        }
        Entry<K> first = entries.first();
        cancel(first);
        return first;
    }

    /** When the timer is to fire; of several armings the one with the highest number is valid. */
    record Arming(long due, long number) {}

    /** Null if the timer need not be armed. Otherwise call {@link #arm}, not under the lock of the queue, and then {@link #armed}. */
    @Nullable Arming toArm() {
        if (entries.isEmpty() || entries.first().due >= armedFor) {
            return null;
        }
        var arming = new Arming(entries.first().due, armings + 1);
        armedFor = arming.due;
        armings = arming.number;
        return arming;
    }

    Disposable arm(Arming arming) {
        return timer.schedule(ring, Math.max(1, arming.due - timer.now(TimeUnit.NANOSECONDS)), TimeUnit.NANOSECONDS);
    }

    /** Returns the alarm that is no longer needed: the previous one, or {@code by} if a newer arming exists. The caller disposes it. */
    Disposable armed(Arming arming, Disposable by) {
        if (arming.number != armings) {
            return by;
        }
        Disposable before = alarm;
        alarm = by;
        return before;
    }

    /** The armed alarm may be lost: the next {@link #toArm} arms the timer again. */
    void lost() {
        armedFor = Entry.NEVER;
    }

    /** Before {@link #restore} is called with each delayed entry. */
    void empty() {
        entries.clear();
        lost();
    }

    void restore(Entry<K> delayed) {
        entries.add(delayed);
    }

    int size() {
        return entries.size();
    }

    /** Drops all delays; call {@link #disarm} afterwards. */
    void clear() {
        entries.forEach(entry -> entry.due = Entry.NEVER);
        entries.clear();
    }

    /** Returns the alarm, which is no longer needed, for the caller to dispose; also invalidates one that is being armed. */
    Disposable disarm() {
        armedFor = Entry.NEVER;
        armings++;
        Disposable before = alarm;
        alarm = Disposables.disposed();
        return before;
    }
}
