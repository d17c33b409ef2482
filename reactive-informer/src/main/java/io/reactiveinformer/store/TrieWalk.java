package io.reactiveinformer.store;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A position in the walk over one trie. */
final class TrieWalk<K, V> {

    /** Root, seven levels of branches, and the entries of one hash below the last. */
    private static final int DEPTH = 9;

    private final HashTrie<K, V> trie;

    /** What is being walked, from the root down to {@link #depth}; of each, {@link #next} is the place to go on from. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type cannot be written otherwise
    private final TrieNode<K, V>[][] path = new TrieNode[DEPTH][];

    private final int[] next = new int[DEPTH];
    private int depth = -1;
    private TrieNode.@Nullable Leaf<K, V> current;
    private boolean over;

    TrieWalk(HashTrie<K, V> trie) {
        this.trie = trie;
        if (trie.root != null) {
            descend(single(trie.root));
        }
    }

    /** Moves on to the next entry; false at the end. */
    boolean advance() {
        while (depth >= 0) {
            if (next[depth] == path[depth].length) {
                depth--;
                continue;
            }
            TrieNode<K, V> node = path[depth][next[depth]++];
            if (node instanceof TrieNode.Leaf<K, V> leaf) {
                current = leaf;
                return true;
            }
            descend(node instanceof Branch<K, V> branch ? branch.parts : ((TrieNode.Clash<K, V>) node).entries());
        }
        over = true;
        return false;
    }

    K key() {
        return Objects.requireNonNull(current, "advance() first").key();
    }

    V value() {
        return Objects.requireNonNull(current, "advance() first").value();
    }

    /** Whether the trie has {@code key}, and the walk has not come to it yet. */
    boolean isAhead(K key) {
        if (over || current != null && Integer.compareUnsigned(HashTrie.spread(key), current.hash()) < 0) {
            return false;
        }
        TrieNode.Leaf<K, V> wanted = trie.find(key);
        return wanted != null && (current == null || wanted.hash() != current.hash() || aheadOfSameHash(wanted));
    }

    /** Entries of one hash stand in one array, which is where the walk is. */
    private boolean aheadOfSameHash(TrieNode.Leaf<K, V> wanted) {
        for (int i = next[depth]; i < path[depth].length; i++) {
            if (path[depth][i] == wanted) {
                return true;
            }
        }
        return false;
    }

    private void descend(TrieNode<K, V>[] nodes) {
        depth++;
        path[depth] = nodes;
        next[depth] = 0;
    }

    @SuppressWarnings({"unchecked", "rawtypes"}) // as above
    private static <K, V> TrieNode<K, V>[] single(TrieNode<K, V> node) {
        return new TrieNode[] {node};
    }
}
