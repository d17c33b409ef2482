package io.reactiveinformer.controller;

import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Why keys that wait are to be looked at. At most {@value #KEPT} causes a key; of the others only how many there were. */
final class Causes<K> {

    static final int KEPT = 16;

    private final Map<K, Merged> waiting = new ConcurrentHashMap<>();
    private volatile boolean over;

    /** @param more how many different or equal ones did not fit in */
    record Merged(Set<Cause> kept, int more) {

        static final Merged NONE = new Merged(Set.of(), 0);

        Merged and(Merged later) {
            Set<Cause> all = new LinkedHashSet<>(kept);
            int left = more + later.more;
            for (Cause cause : later.kept) {
                if (all.size() < KEPT) {
                    all.add(cause);
                } else if (!all.contains(cause)) {
                    left++;
                }
            }
            return new Merged(Collections.unmodifiableSet(all), left);
        }
    }

    void add(K key, Cause cause) {
        add(key, new Merged(Set.of(cause), 0));
    }

    void add(K key, Merged causes) {
        waiting.merge(key, causes, Merged::and);
        if (over) {
            waiting.clear(); // asked afterwards, so that the end sees what came before it and this what comes later
        }
    }

    /** Nobody will take any: those that there are, and that are added later, are forgotten. */
    void end() {
        over = true;
        waiting.clear();
    }

    int size() {
        return waiting.size();
    }

    /** Those of {@code key}, which are then forgotten. */
    Merged take(K key) {
        Merged causes = waiting.remove(key);
        return causes == null ? Merged.NONE : causes;
    }
}
