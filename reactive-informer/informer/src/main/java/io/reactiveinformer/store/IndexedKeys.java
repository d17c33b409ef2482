package io.reactiveinformer.store;

import io.reactiveinformer.internal.trie.Edit;
import io.reactiveinformer.internal.trie.HashTrie;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * One index over the rows of one snapshot. Keeps the values under which each row was filed, so that the row is removed from its buckets
 * even if the index function returns other values then.
 */
record IndexedKeys<K, T>(Index<T, ?> index, Buckets<K, Object> buckets, HashTrie<K, Set<Object>> valuesOf) {

    private static final int FEW = 8;

    static <K, T> IndexedKeys<K, T> empty(Index<T, ?> index) {
        return new IndexedKeys<>(index, Buckets.empty(), HashTrie.empty());
    }

    /**
     * Files {@code key} under the values of {@code object}, and no others.
     *
     * @param object null if the row was removed
     */
    IndexedKeys<K, T> with(K key, @Nullable T object, Edit edit) {
        try {
            return filed(key, object, edit);
        } catch (Throwable failure) { // of the user's function, or of equals or hashCode of a value: the row is then in no bucket
            index.failed(key, failure);
            return object == null ? this : with(key, null, edit);
        }
    }

    private IndexedKeys<K, T> filed(K key, @Nullable T object, Edit edit) {
        Set<Object> before = orNone(valuesOf.get(key));
        Set<Object> after = object == null ? Set.of() : distinct(index.valuesOf(object));
        if (before.equals(after)) {
            return this;
        }
        Buckets<K, Object> edited = buckets;
        for (Object value : before) {
            edited = after.contains(value) ? edited : edited.without(value, key, edit);
        }
        for (Object value : after) {
            edited = before.contains(value) ? edited : edited.with(value, key, edit);
        }
        return new IndexedKeys<>(index, edited, after.isEmpty() ? valuesOf.without(key, edit) : valuesOf.with(key, after, edit));
    }

    /** The distinct values. A small set may compare all its elements, as it must if they share one hash; a large one must not. */
    private static Set<Object> distinct(Collection<?> values) {
        if (values.size() <= FEW) {
            return Set.copyOf(values);
        }
        Set<Object> distinct = new LinkedHashSet<>();
        values.forEach(value -> distinct.add(Objects.requireNonNull(value)));
        return Collections.unmodifiableSet(distinct);
    }

    private static Set<Object> orNone(@Nullable Set<Object> values) {
        return values == null ? Set.of() : values;
    }
}
