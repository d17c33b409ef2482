package io.reactiveinformer.store;

import io.reactiveinformer.internal.trie.Edit;
import io.reactiveinformer.internal.trie.HashTrie;

/**
 * The keys for each value. Immutable; has no entry for a value without keys.
 *
 * @param <K> the keys
 * @param <V> the values
 */
record Buckets<K, V>(HashTrie<V, HashTrie<K, K>> byValue) {

    static <K, V> Buckets<K, V> empty() {
        return new Buckets<>(HashTrie.empty());
    }

    HashTrie<K, K> of(V value) {
        HashTrie<K, K> keys = byValue.get(value);
        return keys == null ? HashTrie.empty() : keys;
    }

    Buckets<K, V> with(V value, K key, Edit edit) {
        return new Buckets<>(byValue.with(value, of(value).with(key, key, edit), edit));
    }

    Buckets<K, V> without(V value, K key, Edit edit) {
        HashTrie<K, K> keys = of(value).without(key, edit);
        return new Buckets<>(keys.isEmpty() ? byValue.without(value, edit) : byValue.with(value, keys, edit));
    }
}
