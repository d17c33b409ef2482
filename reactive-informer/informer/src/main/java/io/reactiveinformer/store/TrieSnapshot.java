package io.reactiveinformer.store;

import io.reactiveinformer.internal.trie.HashTrie;
import io.reactiveinformer.internal.trie.TrieWalk;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot over persistent maps.
 *
 * @param namespaces the rows of each namespace; empty if keys are not {@link ObjectKey}s
 */
record TrieSnapshot<K, T>(
        long revision,
        Positions positions,
        HashTrie<K, Versioned<T>> rows,
        NamespaceIndex<K, T> namespaces,
        List<IndexedKeys<K, T>> indexes)
        implements Snapshot<K, T> {

    static <K, T> TrieSnapshot<K, T> empty(Positions positions) {
        return new TrieSnapshot<>(0, positions, HashTrie.empty(), NamespaceIndex.empty(), List.of());
    }

    @Override
    public boolean complete() {
        return positions.complete();
    }

    @Override
    public Optional<String> resourceVersion() {
        return Optional.ofNullable(positions.completeTo());
    }

    @Override
    public Optional<String> resourceVersion(Namespaces part) {
        return Optional.ofNullable(positions.completeTo(part));
    }

    @Override
    public int size() {
        return rows.size();
    }

    @Override
    public Optional<T> get(K key) {
        return Optional.ofNullable(find(key)).map(Versioned::object);
    }

    @Override
    public @Nullable Versioned<T> find(K key) {
        return rows.get(key);
    }

    @Override
    public List<T> list() {
        List<T> objects = new ArrayList<>(rows.size());
        rows.forEach((key, row) -> objects.add(row.object()));
        return List.copyOf(objects);
    }

    @Override
    public void forEach(BiConsumer<? super K, ? super Versioned<T>> action) {
        rows.forEach(action);
    }

    @Override
    public <V> List<T> by(Index<T, V> index, V value) {
        return partBy(index, value).objects();
    }

    Part<K, T> partBy(Index<T, ?> index, Object value) {
        IndexedKeys<K, T> indexed = indexed(index);
        if (indexed == null) {
            throw new IllegalArgumentException(index + " was not added before this snapshot (revision " + revision
                    + ") was taken: subscribe to what addIndex returns, wait until it completes, and read after that");
        }
        return Part.of(indexed.buckets().of(value), rows);
    }

    @Nullable IndexedKeys<K, T> indexed(Index<?, ?> index) {
        for (IndexedKeys<K, T> indexed : indexes) {
            if (indexed.index() == index) {
                return indexed;
            }
        }
        return null;
    }

    @Override
    public Cursor<K, T> cursor() {
        return cursor(rows.walk());
    }

    @Override
    public Cursor<K, T> cursorAfter(K key) {
        return cursor(rows.walkAfter(key));
    }

    private static <K, T> Cursor<K, T> cursor(TrieWalk<K, Versioned<T>> walk) {
        return new Cursor<>() {
            @Override
            public boolean advance() {
                return walk.advance();
            }

            @Override
            public K key() {
                return walk.key();
            }

            @Override
            public Versioned<T> row() {
                return walk.value();
            }

            @Override
            public boolean isAhead(K key) {
                return walk.isAhead(key);
            }
        };
    }

    @Override
    public String toString() {
        return "snapshot " + revision + " of " + size() + " rows";
    }
}
