package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The keys of a queue, each with its {@link KeyState}, and three orders of them: the line, the delayed keys, and the
 * running ones. The states are the only truth: if a change is interrupted, {@link #restore} derives the orders from
 * them. Guarded by its queue; times are nanoseconds of its timer.
 *
 * <pre>
 *  delayed ──due, or added──▶ dirty: in line ──taken──▶ running ──over──▶ forgotten
 *                                  ▲                      │
 *                                  └────over, and dirty───┘
 * </pre>
 * A key that was held while it was worked on stays out of line until it is released, even if it is dirty.
 */
final class KeyTable<K> {

    private final Function<? super K, ?> classes;
    private final double headStart;
    private final Map<K, KeyState<K>> states = new HashMap<>();

    /** The keys in line by their classes, in the order of the classes' turns. */
    private final Map<Object, TreeSet<KeyState<K>>> line = new LinkedHashMap<>();

    private final TreeSet<KeyState<K>> delayed = new TreeSet<>(
            Comparator.<KeyState<K>>comparingLong(state -> state.due).thenComparingLong(state -> state.number));
    private final Set<KeyState<K>> running = new LinkedHashSet<>();
    private int ready;
    private long numbers;

    KeyTable(Function<? super K, ?> classes, Duration headStart) {
        this.classes = classes;
        this.headStart = headStart.toNanos();
    }

    /** The state of {@code key}, also if the key is new. */
    KeyState<K> state(K key) {
        return states.computeIfAbsent(Objects.requireNonNull(key, "key"),
                first -> new KeyState<>(key, Objects.requireNonNull(classes.apply(key))));
    }

    private void forgetIfIdle(KeyState<K> state) {
        if (state.isIdle()) {
            states.remove(state.key);
        }
    }

    /** Returns how many keys have become dirty: 1 or 0. */
    int add(KeyState<K> state, int asked, long now) {
        int priority = state.due == KeyState.NEVER ? asked : Math.max(asked, state.priority);
        cancelDelay(state);
        if (!state.dirty) {
            state.dirty = true;
            state.priority = priority;
            lineUp(state, now);
            return 1;
        }
        if (priority > state.priority) {
            state.priority = priority;
            if (state.inLine) { // gets another rank; its class keeps its turn
                TreeSet<KeyState<K>> peers = Objects.requireNonNull(line.get(state.itsClass));
                peers.remove(state);
                state.rank = rank(state);
                peers.add(state);
            }
        }
        return 0;
    }

    private void lineUp(KeyState<K> state, long now) {
        if (state.lacksPlace()) {
            state.since = now;
            state.number = numbers++;
            state.rank = rank(state);
            enqueue(state);
        }
    }

    private void enqueue(KeyState<K> state) {
        line.computeIfAbsent(state.itsClass, first -> new TreeSet<>(
                        Comparator.<KeyState<K>>comparingDouble(one -> one.rank).thenComparingLong(one -> one.number)))
                .add(state);
        ready++;
        state.inLine = true;
    }

    private double rank(KeyState<K> state) {
        return state.since - state.priority * headStart;
    }

    /** Delays the key; returns false, without an effect, if it is dirty. */
    boolean delay(KeyState<K> state, long due) {
        if (!state.dirty) {
            delay(state, due, 0);
        }
        return !state.dirty;
    }

    /** Of two times the earlier one counts, of two priorities the higher. */
    private void delay(KeyState<K> state, long due, int priority) {
        state.priority = state.due == KeyState.NEVER ? priority : Math.max(priority, state.priority);
        if (due < state.due) {
            delayed.remove(state);
            state.due = due;
            state.number = numbers++;
            delayed.add(state);
        }
    }

    boolean cancelDelay(K key) {
        KeyState<K> state = states.get(key);
        if (state == null || !cancelDelay(state)) {
            return false;
        }
        state.pausedUntil = KeyState.NO_PAUSE;
        forgetIfIdle(state);
        return true;
    }

    private boolean cancelDelay(KeyState<K> state) {
        boolean cancelled = delayed.remove(state);
        state.due = KeyState.NEVER;
        return cancelled; // an alarm for it may ring for nothing
    }

    /** Ends the pause of {@code key}, but not its delay: its next failure begins a pause of its own. */
    void forgetPause(K key) {
        KeyState<K> state = states.get(key);
        if (state != null) {
            state.pausedUntil = KeyState.NO_PAUSE;
        }
    }

    /** When the first delay is over; {@link KeyState#NEVER} if no key is delayed. */
    long firstDue() {
        return delayed.isEmpty() ? KeyState.NEVER : delayed.first().due;
    }

    /** Makes the keys that are due dirty; returns how many of them were not dirty before. */
    int addDue(long now) {
        int added = 0;
        while (firstDue() <= now) {
            KeyState<K> due = delayed.first();
            added += add(due, due.priority, now);
        }
        return added;
    }

    /** The next key in line; null if there is none. */
    @Nullable KeyState<K> next() {
        return ready == 0 ? null : line.values().iterator().next().first();
    }

    /** Takes {@code next}, the next key in line, and marks it as running; returns it. */
    KeyState<K> take(KeyState<K> next, long now) {
        running.add(next);
        TreeSet<KeyState<K>> peers = Objects.requireNonNull(line.remove(next.itsClass));
        peers.remove(next);
        if (!peers.isEmpty()) {
            line.put(next.itsClass, peers); // at the end: the other classes have their turns first
        }
        ready--;
        next.dirty = false;
        next.inLine = false;
        next.running = true;
        next.runPriority = next.priority;
        next.since = now;
        return next;
    }

    /**
     * Clears an addition since {@code state} was taken: the work that begins now sees it, and its priority counts if
     * the key is worked on again. If the key is held, the addition waits for the release. Returns whether one was
     * cleared.
     */
    boolean begins(KeyState<K> state) {
        boolean merged = state.dirty && state.holds == 0;
        if (merged) {
            state.dirty = false;
            state.runPriority = Math.max(state.runPriority, state.priority);
        }
        return merged;
    }

    /** Ends the work on the key; returns how many keys have become dirty: 1 or 0. */
    int end(KeyState<K> state, long now) {
        state.running = false; // first: whatever is thrown, the work is not ended again
        running.remove(state);
        int added = 0;
        if (state.dirty) {
            if (state.next != KeyState.NEVER) {
                state.priority = Math.max(state.priority, state.runPriority);
            }
            lineUp(state, now);
        } else if (state.next <= now) {
            added = add(state, state.runPriority, now);
        } else if (state.next != KeyState.NEVER) {
            delay(state, state.next, state.runPriority);
        }
        forgetIfIdle(state);
        return added;
    }

    /** Ends one hold; returns the number of those that are left. */
    int release(K key, long now) {
        KeyState<K> state = states.get(key);
        if (state == null || state.holds == 0) {
            return 0;
        }
        if (--state.holds == 0) {
            lineUp(state, now);
            forgetIfIdle(state);
        }
        return state.holds;
    }

    /** The numbers of keys that were dirty, and that were delayed. */
    record Dropped(int dirty, int delayed) {}

    /** Releases all keys and drops all delays; if {@code dirtyOnes}, no key is dirty any more, in line or not. */
    Dropped shutDown(boolean dirtyOnes, long now) {
        int dirty = 0;
        int late = delayed.size();
        for (KeyState<K> state : states.values()) {
            state.holds = 0;
            state.due = KeyState.NEVER;
            if (dirtyOnes) {
                dirty += state.dirty ? 1 : 0;
                state.dirty = false;
                state.inLine = false;
            }
        }
        delayed.clear();
        if (dirtyOnes) {
            line.clear();
            ready = 0;
        }
        states.values().forEach(state -> lineUp(state, now));
        states.values().removeIf(KeyState::isIdle);
        return new Dropped(dirty, late);
    }

    /** Derives the orders from the states. Returns false if that failed for a key, which then has to be tried again. */
    boolean restore() {
        boolean all = true;
        line.clear();
        ready = 0;
        running.clear();
        delayed.clear();
        for (KeyState<K> state : states.values()) {
            state.inLine = false;
            try {
                if (state.due != KeyState.NEVER) {
                    delayed.add(state);
                }
                if (state.running) {
                    running.add(state);
                }
                if (state.lacksPlace()) {
                    enqueue(state);
                }
            } catch (Throwable again) { // by equals of this key, or as memory is short: the others go on
                all = false;
            }
        }
        return all;
    }

    int ready() {
        return ready;
    }

    int delayed() {
        return delayed.size();
    }

    int running() {
        return running.size();
    }

    WorkQueue.Unfinished unfinished(long now) {
        long total = 0;
        long longest = 0;
        for (KeyState<K> state : running) {
            total += now - state.since;
            longest = Math.max(longest, now - state.since);
        }
        return new WorkQueue.Unfinished(running.size(), Duration.ofNanos(total), Duration.ofNanos(longest));
    }
}
