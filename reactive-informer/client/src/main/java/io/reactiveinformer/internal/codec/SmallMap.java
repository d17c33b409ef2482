package io.reactiveinformer.internal.codec;

import java.util.AbstractMap;
import java.util.AbstractSet;
import java.util.Iterator;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** An immutable map of a few entries in their order, in one array: a quarter of the size of a hash map, and as fast for labels. */
public final class SmallMap<K, V> extends AbstractMap<K, V> {

    /** For more entries a hash map is faster. */
    public static final int LARGEST = 12;

    public static final SmallMap<?, ?> EMPTY = new SmallMap<>(new @Nullable Object[0]);

    private final @Nullable Object[] keysAndValues;

    /** @param entries at most {@link #LARGEST} */
    public SmallMap(Map<K, V> entries) {
        keysAndValues = new @Nullable Object[entries.size() * 2];
        int i = 0;
        for (Entry<K, V> entry : entries.entrySet()) {
            keysAndValues[i++] = entry.getKey();
            keysAndValues[i++] = entry.getValue();
        }
    }

    /** @param keysAndValues at most {@link #LARGEST} of each, alternating, no key twice; must not be changed afterwards */
    public SmallMap(@Nullable Object[] keysAndValues) {
        this.keysAndValues = keysAndValues;
    }

    @Override
    public @Nullable V get(@Nullable Object key) {
        int i = indexOf(key);
        return i < 0 ? null : value(i / 2);
    }

    @Override
    public boolean containsKey(@Nullable Object key) {
        return indexOf(key) >= 0;
    }

    @Override
    public int size() {
        return keysAndValues.length / 2;
    }

    @Override
    public Set<Entry<K, V>> entrySet() {
        return new AbstractSet<>() {
            @Override
            public Iterator<Entry<K, V>> iterator() {
                return new Entries();
            }

            @Override
            public int size() {
                return SmallMap.this.size();
            }
        };
    }

    private int indexOf(@Nullable Object key) {
        if (key != null) {
            for (int i = 0; i < keysAndValues.length; i += 2) {
                if (key.equals(keysAndValues[i])) {
                    return i;
                }
            }
        }
        return -1;
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // filled from a map of these types
    public K key(int index) {
        return (K) keysAndValues[2 * index];
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // filled from a map of these types
    public V value(int index) {
        return (V) keysAndValues[2 * index + 1];
    }

    private final class Entries implements Iterator<Entry<K, V>> {

        private int next;

        @Override
        public boolean hasNext() {
            return next < size();
        }

        @Override
        public Entry<K, V> next() {
            if (!hasNext()) {
                throw new NoSuchElementException();
            }
            var entry = new SimpleImmutableEntry<>(key(next), value(next));
            next++;
            return entry;
        }
    }
}
