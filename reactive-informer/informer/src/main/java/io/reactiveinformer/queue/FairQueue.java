package io.reactiveinformer.queue;

import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** The ready keys. Classes take turns; within a class the smallest rank goes first. Guarded by its queue. */
final class FairQueue<K> {

    /** The classes with waiting keys, in the order of their turns. */
    private final Map<Object, TreeSet<Entry<K>>> waiting = new LinkedHashMap<>();

    private int size;

    void add(Entry<K> entry) {
        waiting.computeIfAbsent(entry.itsClass, first -> new TreeSet<>(
                        Comparator.<Entry<K>>comparingLong(one -> one.rank).thenComparingLong(one -> one.number)))
                .add(entry);
        size++;
    }

    /** Gives {@code entry} another rank; its class keeps its turn. */
    void rerank(Entry<K> entry, long rank) {
        TreeSet<Entry<K>> peers = Objects.requireNonNull(waiting.get(entry.itsClass));
        peers.remove(entry);
        entry.rank = rank;
        peers.add(entry);
    }

    /** The entry that {@link #poll} would return. */
    @Nullable Entry<K> peek() {
        return size == 0 ? null : waiting.values().iterator().next().first();
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
            waiting.put(itsClass, peers); // at the end: the other classes have their turns first
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
