package io.reactiveinformer.queue;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Keys that are ready. Classes take turns; within a class the smallest rank goes first. Guarded by its queue. */
final class Line<K> {

    /** Only classes of which keys wait; the one whose turn it is first. */
    private final Map<Object, TreeSet<Entry<K>>> waiting = new LinkedHashMap<>();

    private int size;

    void add(Entry<K> entry) {
        waiting.computeIfAbsent(entry.itsClass, first -> new TreeSet<>(
                        Comparator.<Entry<K>>comparingLong(one -> one.rank).thenComparingLong(one -> one.number)))
                .add(entry);
        size++;
    }

    /** Takes {@code entry} out, to be put in again with another rank. */
    void remove(Entry<K> entry) {
        TreeSet<Entry<K>> peers = waiting.get(entry.itsClass);
        if (peers != null && peers.remove(entry)) {
            size--;
            if (peers.isEmpty()) {
                waiting.remove(entry.itsClass);
            }
        }
    }

    @Nullable Entry<K> poll() {
        if (size == 0) {
            return null;
        }
        Map.Entry<Object, TreeSet<Entry<K>>> turn = waiting.entrySet().iterator().next();
        Object itsClass = turn.getKey();
        TreeSet<Entry<K>> peers = turn.getValue();
        waiting.remove(itsClass);
        Entry<K> first = peers.pollFirst();
        if (!peers.isEmpty()) {
            waiting.put(itsClass, peers); // the others have their turn before it
        }
        size--;
        return first;
    }

    int size() {
        return size;
    }

    void clear() {
        waiting.clear();
        size = 0;
    }
}
