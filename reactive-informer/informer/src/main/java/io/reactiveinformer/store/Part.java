package io.reactiveinformer.store;

import io.reactiveinformer.internal.trie.HashTrie;
import io.reactiveinformer.resource.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** Some rows of a snapshot. */
interface Part<K, T> {

    int size();

    boolean has(K key);

    void forEach(BiConsumer<? super K, ? super Versioned<T>> action);

    /** The objects of these rows, as an immutable list. */
    default List<T> objects() {
        List<T> objects = new ArrayList<>(size());
        forEach((key, row) -> objects.add(row.object()));
        return List.copyOf(objects);
    }

    /** The part of {@code rows} with the keys {@code keys}. */
    static <K, T> Part<K, T> of(HashTrie<K, K> keys, HashTrie<K, Versioned<T>> rows) {
        return new Part<>() {
            @Override
            public int size() {
                return keys.size();
            }

            @Override
            public boolean has(K key) {
                return keys.has(key);
            }

            @Override
            public void forEach(BiConsumer<? super K, ? super Versioned<T>> action) {
                keys.forEach((key, same) -> {
                    Versioned<T> row = rows.get(key);
                    if (row != null) {
                        action.accept(key, row);
                    }
                });
            }
        };
    }
}
