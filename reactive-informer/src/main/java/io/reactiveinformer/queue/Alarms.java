package io.reactiveinformer.queue;

import java.util.Comparator;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.scheduler.Scheduler;

/** Keys that are delayed, and one timer for the one that is due first. Guarded by its queue. */
final class Alarms<K> {

    private final Scheduler timer;
    private final Runnable ring;
    private final TreeSet<Entry<K>> entries =
            new TreeSet<>(Comparator.<Entry<K>>comparingLong(one -> one.due).thenComparingLong(one -> one.alarmNumber));
    private final Disposable.Swap alarm = Disposables.swap();
    private long armedFor = Entry.NEVER;
    private long numbers;

    /** @param ring called when something is due, not under the guard */
    Alarms(Scheduler timer, Runnable ring) {
        this.timer = timer;
        this.ring = ring;
    }

    /** Of two times the earlier one counts. */
    void set(Entry<K> entry, long due) {
        if (due < entry.due) {
            entries.remove(entry);
            entry.due = due;
            entry.alarmNumber = numbers++;
            entries.add(entry);
            arm();
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
            arm();
            return null;
        }
        Entry<K> first = entries.first();
        cancel(first);
        return first;
    }

    private void arm() {
        if (!entries.isEmpty() && entries.first().due < armedFor) {
            long first = entries.first().due;
            alarm.update(timer.schedule(ring, Math.max(1, first - timer.now(TimeUnit.NANOSECONDS)), TimeUnit.NANOSECONDS));
            armedFor = first;
        }
    }

    int size() {
        return entries.size();
    }

    void clear() {
        entries.forEach(entry -> entry.due = Entry.NEVER);
        entries.clear();
        alarm.dispose();
    }
}
