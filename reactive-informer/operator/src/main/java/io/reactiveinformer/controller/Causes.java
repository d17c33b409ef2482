package io.reactiveinformer.controller;

import io.reactiveinformer.controller.ReconcileRequest.Cause;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The causes of each waiting key. Keeps at most {@value #KEPT} causes per key; of the others only the number. */
final class Causes<K> {

    static final int KEPT = 16;

    private final Map<K, Merged> waiting = new ConcurrentHashMap<>();
    private volatile boolean over;

    /** @param more the number of causes that were dropped, equal ones included */
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
            waiting.clear(); // checked after the merge: end() clears what was added before it, this what is added later
        }
    }

    /** Drops the present causes, and each cause that is added later: no request will take them. */
    void end() {
        over = true;
        waiting.clear();
    }

    int size() {
        return waiting.size();
    }

    /** Removes and returns the causes of {@code key}. */
    Merged take(K key) {
        Merged causes = waiting.remove(key);
        return causes == null ? Merged.NONE : causes;
    }
}
