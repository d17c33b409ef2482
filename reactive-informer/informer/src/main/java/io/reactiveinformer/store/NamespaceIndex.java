package io.reactiveinformer.store;

import io.reactiveinformer.internal.trie.Edit;
import io.reactiveinformer.internal.trie.HashTrie;
import io.reactiveinformer.resource.Versioned;
import java.util.List;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/** The rows of each namespace. Immutable; has no entry for a namespace without rows. */
record NamespaceIndex<K, T>(HashTrie<String, NamespaceIndex.Rows<K, T>> byName) {

    private static final Rows<?, ?> NONE = new Rows<>(HashTrie.empty());

    static <K, T> NamespaceIndex<K, T> empty() {
        return new NamespaceIndex<>(HashTrie.empty());
    }

    @SuppressWarnings("unchecked") // NONE has no rows of any type
    Rows<K, T> of(String namespace) {
        Rows<K, T> rows = byName.get(namespace);
        return rows == null ? (Rows<K, T>) NONE : rows;
    }

    NamespaceIndex<K, T> with(String namespace, HashTrie.Entry<K, Versioned<T>> row, Edit edit) {
        return new NamespaceIndex<>(byName.with(namespace, new Rows<>(of(namespace).rows.with(row, edit)), edit));
    }

    NamespaceIndex<K, T> without(String namespace, K key, Edit edit) {
        HashTrie<K, Versioned<T>> rows = of(namespace).rows.without(key, edit);
        return new NamespaceIndex<>(rows.isEmpty() ? byName.without(namespace, edit) : byName.with(namespace, new Rows<>(rows), edit));
    }

    /** The rows of one namespace. The list of their objects is created at the first call after the commit, and cached for later calls. */
    static final class Rows<K, T> implements Part<K, T> {

        private final HashTrie<K, Versioned<T>> rows;
        private @Nullable List<T> objects; // two threads may each create one; both are complete and immutable

        private Rows(HashTrie<K, Versioned<T>> rows) {
            this.rows = rows;
        }

        @Override
        public int size() {
            return rows.size();
        }

        @Override
        public boolean has(K key) {
            return rows.has(key);
        }

        @Override
        public void forEach(BiConsumer<? super K, ? super Versioned<T>> action) {
            rows.forEach(action);
        }

        @Override
        public List<T> objects() {
            List<T> known = objects;
            if (known == null) {
                known = Part.super.objects();
                objects = known;
            }
            return known;
        }
    }
}
