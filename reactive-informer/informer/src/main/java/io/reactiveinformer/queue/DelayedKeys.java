package io.reactiveinformer.queue;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** The delayed keys, with one timer task for the earliest. Guarded by its queue, except where noted. */
final class DelayedKeys<K> {

    private final Scheduler timer;
    private final Runnable ring;
    private final Object lock;
    private final TreeSet<Entry<K>> entries =
            new TreeSet<>(Comparator.<Entry<K>>comparingLong(one -> one.due).thenComparingLong(one -> one.alarmNumber));
    private Disposable alarm = Disposables.disposed();
    private long armedFor = Entry.NEVER;
    private long armings;
    private long numbers;
    private volatile boolean lost; // there may be no alarm for the delayed keys

    /**
     * @param lock of the queue
     * @param ring called when a delay is over, not under the lock
     */
    DelayedKeys(Scheduler timer, Object lock, Runnable ring) {
        this.timer = timer;
        this.lock = lock;
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
        return delayed; // the timer is not disarmed: it may fire for nothing
    }

    /**
     * Removes and returns the next entry that is due; null if none is due. After the timer has fired, call it until it returns null: only
     * that allows the timer to be armed again.
     */
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
    private record Arming(long due, long number) {}

    /**
     * Arms the timer for the earliest of the delayed keys, unless it is armed for it already. Must not be called under the lock: a timer
     * may run its task within {@code schedule}, and other threads would wait meanwhile.
     */
    void arm() {
        Arming arming;
        synchronized (lock) {
            try {
                arming = toArm();
                lost = false;
            } catch (Throwable failure) {
                lose();
                throw failure;
            }
        }
        if (arming == null) {
            return;
        }
        Disposable armed;
        try {
            armed = timer.schedule(ring, Math.max(1, arming.due - timer.now(TimeUnit.NANOSECONDS)), TimeUnit.NANOSECONDS);
        } catch (Throwable failure) {
            synchronized (lock) {
                lose();
            }
            throw failure;
        }
        Disposable outdated;
        synchronized (lock) {
            outdated = armed(arming, armed);
        }
        outdated.dispose();
    }

    private @Nullable Arming toArm() {
        if (entries.isEmpty() || entries.first().due >= armedFor) {
            return null;
        }
        var arming = new Arming(entries.first().due, armings + 1);
        armedFor = arming.due;
        armings = arming.number;
        return arming;
    }

    /** Returns the alarm that is no longer needed: the previous one, or {@code by} if a newer arming exists. */
    private Disposable armed(Arming arming, Disposable by) {
        if (arming.number != armings) {
            return by;
        }
        Disposable before = alarm;
        alarm = by;
        return before;
    }

    /** Notes that the alarm may be lost: the next {@link #arm} arms the timer again. */
    private void lose() {
        armedFor = Entry.NEVER;
        lost = true;
    }

    /** Whether {@link #arm} has to be called, since there may be no alarm for the delayed keys. Not guarded. */
    boolean mayBeLost() {
        return lost;
    }

    /** Drops all entries; call {@link #restore} with each delayed one afterwards. */
    void empty() {
        entries.clear();
        lose();
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

    /**
     * Returns the alarm, which is no longer needed: the caller disposes of it, outside the lock. Also invalidates one that is being armed.
     */
    Disposable disarm() {
        armedFor = Entry.NEVER;
        armings++;
        Disposable before = alarm;
        alarm = Disposables.disposed();
        return before;
    }
}
