package io.reactiveinformer.store;

import io.reactiveinformer.internal.SecretHash;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A map that never changes: an edit gives another one, which shares with this one what is not on the way to the edited entry. Reading
 * needs no lock; a version of a map lives as long as somebody holds it.
 *
 * <p>Entries are walked in the order of their hashes (spread, as unsigned numbers), and those of the same hash in the order of their
 * coming. So a position in a walk can be compared with any key; see {@link TrieWalk#isAhead}.
 */
final class HashTrie<K, V> {

    private static final HashTrie<?, ?> EMPTY = new HashTrie<>(null, 0);

    final @Nullable TrieNode<K, V> root;
    private final int size;

    private HashTrie(@Nullable TrieNode<K, V> root, int size) {
        this.root = root;
        this.size = size;
    }

    @SuppressWarnings("unchecked") // it holds no entries of any type
    static <K, V> HashTrie<K, V> empty() {
        return (HashTrie<K, V>) EMPTY;
    }

    /**
     * Every bit of the result depends on every bit of {@code key}'s hash code (MurmurHash3's finalizer); no two codes become one. That of a text is one that
     * nobody can choose texts for; that of an {@link io.reactiveinformer.resource.ObjectKey} already is.
     */
    static int spread(Object key) {
        int hash = key instanceof String text ? SecretHash.of(text) : key.hashCode();
        hash = (hash ^ hash >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }

    int size() {
        return size;
    }

    boolean isEmpty() {
        return size == 0;
    }

    @Nullable V get(K key) {
        TrieNode.Leaf<K, V> found = find(key);
        return found == null ? null : found.value();
    }

    TrieNode.@Nullable Leaf<K, V> find(K key) {
        int hash = spread(key);
        TrieNode<K, V> node = root;
        for (int shift = TrieNode.TOP; node instanceof Branch<K, V> branch; shift -= TrieNode.BITS) {
            node = branch.part(hash, shift);
        }
        if (node instanceof TrieNode.Leaf<K, V> leaf) {
            return leaf.find(hash, key);
        }
        return node instanceof TrieNode.Clash<K, V> clash ? clash.find(hash, key) : null;
    }

    HashTrie<K, V> with(K key, V value) {
        return with(key, value, new Edit());
    }

    /** As {@link #with(Object, Object)}; what was made in the same {@code edit} is changed in place: the maps in between are void. */
    HashTrie<K, V> with(K key, V value, Edit edit) {
        return with(leaf(key, value), edit);
    }

    /** An entry that may be in several maps. */
    static <K, V> TrieNode.Leaf<K, V> leaf(K key, V value) {
        return new TrieNode.Leaf<>(spread(key), key, value);
    }

    HashTrie<K, V> with(TrieNode.Leaf<K, V> leaf, Edit edit) {
        if (root == null) {
            return new HashTrie<>(leaf, 1);
        }
        edit.grown = 0;
        return become(root.with(leaf, TrieNode.TOP, edit), edit);
    }

    HashTrie<K, V> without(K key) {
        return without(key, new Edit());
    }

    HashTrie<K, V> without(K key, Edit edit) {
        if (root == null) {
            return this;
        }
        edit.grown = 0;
        return become(root.without(spread(key), key, TrieNode.TOP, edit), edit);
    }

    void forEach(BiConsumer<? super K, ? super V> action) {
        for (var walk = walk(); walk.advance(); ) {
            action.accept(walk.key(), walk.value());
        }
    }

    TrieWalk<K, V> walk() {
        return new TrieWalk<>(this);
    }

    /** In a circle, in the same order; what comes after {@code key}, or where it would be, is first. */
    TrieWalk<K, V> walkAfter(K key) {
        return new TrieWalk<>(this, spread(key));
    }

    private HashTrie<K, V> become(@Nullable TrieNode<K, V> newRoot, Edit edit) {
        if (newRoot == null) {
            return empty();
        }
        int newSize = size + edit.grown;
        return newRoot == root && newSize == size ? this : new HashTrie<>(newRoot, newSize);
    }
}
