package io.reactiveinformer.internal.trie;

import io.reactiveinformer.internal.SecretHash;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A persistent map (a hash array mapped trie): an edit returns a new map, which shares all nodes with this one except those on the path to
 * the edited entry. Reads need no lock; a version of the map lives as long as it is referenced.
 *
 * <p>The order of entries is that of their hashes ({@linkplain #spread spread}, as unsigned numbers), and of insertion for equal hashes. So
 * a position in a walk can be compared with any key; see {@link TrieWalk#isAhead}.
 */
public final class HashTrie<K, V> {

    /** One entry, made by {@link #entry}. */
    public sealed interface Entry<K, V> permits TrieNode.Leaf {}

    private static final HashTrie<?, ?> EMPTY = new HashTrie<>(null, 0);

    final @Nullable TrieNode<K, V> root;
    private final int size;

    private HashTrie(@Nullable TrieNode<K, V> root, int size) {
        this.root = root;
        this.size = size;
    }

    @SuppressWarnings("unchecked") // it holds no entries of any type
    public static <K, V> HashTrie<K, V> empty() {
        return (HashTrie<K, V>) EMPTY;
    }

    /**
     * The hash of {@code key}. Each bit depends on each bit of the key's hash code (MurmurHash3's finalizer), and different hash codes give
     * different results. A string is hashed with a secret, so that an attacker cannot choose strings that collide; the hash code of an
     * {@link io.reactiveinformer.resource.ObjectKey} contains a secret already.
     */
    static int spread(Object key) {
        int hash = key instanceof String text ? SecretHash.of(text) : key.hashCode();
        hash = (hash ^ hash >>> 16) * 0x85ebca6b;
        hash = (hash ^ hash >>> 13) * 0xc2b2ae35;
        return hash ^ hash >>> 16;
    }

    public int size() {
        return size;
    }

    public boolean isEmpty() {
        return size == 0;
    }

    public @Nullable V get(K key) {
        TrieNode.Leaf<K, V> found = find(key);
        return found == null ? null : found.value();
    }

    public boolean has(K key) {
        return find(key) != null;
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

    public HashTrie<K, V> with(K key, V value) {
        return with(key, value, new Edit());
    }

    /**
     * As {@link #with(Object, Object)}, but nodes that were created in the same {@code edit} are changed in place, so that earlier maps of
     * this edit become invalid.
     */
    public HashTrie<K, V> with(K key, V value, Edit edit) {
        return with(entry(key, value), edit);
    }

    /** An entry, which may be put into several maps. */
    public static <K, V> Entry<K, V> entry(K key, V value) {
        return new TrieNode.Leaf<>(spread(key), key, value);
    }

    public HashTrie<K, V> with(Entry<K, V> entry, Edit edit) {
        TrieNode.Leaf<K, V> leaf = (TrieNode.Leaf<K, V>) entry;
        if (root == null) {
            return new HashTrie<>(leaf, 1);
        }
        edit.grown = 0;
        return become(root.with(leaf, TrieNode.TOP, edit), edit);
    }

    public HashTrie<K, V> without(K key) {
        return without(key, new Edit());
    }

    public HashTrie<K, V> without(K key, Edit edit) {
        if (root == null) {
            return this;
        }
        edit.grown = 0;
        return become(root.without(spread(key), key, TrieNode.TOP, edit), edit);
    }

    public void forEach(BiConsumer<? super K, ? super V> action) {
        for (var walk = walk(); walk.advance(); ) {
            action.accept(walk.key(), walk.value());
        }
    }

    public TrieWalk<K, V> walk() {
        return new TrieWalk<>(this);
    }

    /** A walk in a circle, in the same order, that starts with the entries after {@code key}, or after its place if it is missing. */
    public TrieWalk<K, V> walkAfter(K key) {
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
