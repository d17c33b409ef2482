package io.reactiveinformer.recorder;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Supplier;

/** A map of the most recently used entries. Not thread-safe. */
final class Recent<K, V> {

    private final Map<K, V> values;

    Recent(int most) {
        values = new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1L;

            @Override
            protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
                return size() > most;
            }
        };
    }

    V get(K key, Supplier<V> otherwise) {
        return values.computeIfAbsent(key, absent -> otherwise.get());
    }

    int size() {
        return values.size();
    }
}
