package io.reactiveinformer.internal.trie;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A walk over the entries of one trie. Not thread-safe. */
public final class TrieWalk<K, V> {

    /** Root, seven levels of branches, and the entries of one hash below the last. */
    private static final int DEPTH = 9;

    private final HashTrie<K, V> trie;

    /** The nodes on the current path, from the root down to {@link #depth}; {@link #next} has the place to continue from in each. */
    @SuppressWarnings({"unchecked", "rawtypes"}) // an array of a generic type cannot be written otherwise
    private final TrieNode<K, V>[][] path = new TrieNode[DEPTH][];

    private final int[] next = new int[DEPTH];
    private int depth = -1;
    private TrieNode.@Nullable Leaf<K, V> current;
    private boolean over;

    /** For a walk in a circle: the last hash. The walk began after it. */
    private final int last;

    /** Whether the second round, which ends a circle, follows. */
    private boolean circling;

    private boolean lastRound;

    TrieWalk(HashTrie<K, V> trie) {
        this.trie = trie;
        this.last = 0;
        fromStart();
    }

    /** A walk in a circle: first the entries after those of {@code hash}, then those before, and those of {@code hash} themselves. */
    TrieWalk(HashTrie<K, V> trie, int hash) {
        this.trie = trie;
        this.last = hash;
        this.circling = true;
        fromStart();
        skipTo(hash);
    }

    private void fromStart() {
        if (trie.root != null) {
            descend(single(trie.root));
        }
    }

    /** Continues after the entries of {@code hash}, or after their place if there are none. */
    private void skipTo(int hash) {
        for (int shift = TrieNode.TOP; depth >= 0 && next[depth] < path[depth].length; shift -= TrieNode.BITS) {
            if (!(path[depth][next[depth]] instanceof Branch<K, V> branch)) {
                int found = path[depth][next[depth]] instanceof TrieNode.Leaf<K, V> leaf
                        ? leaf.hash() : ((TrieNode.Clash<K, V>) path[depth][next[depth]]).hash();
                next[depth] += Integer.compareUnsigned(found, hash) <= 0 ? 1 : 0;
                return;
            }
            next[depth]++;
            descend(branch.parts);
            next[depth] = branch.partsBefore(hash, shift);
            if (branch.part(hash, shift) == null) {
                return;
            }
        }
    }

    /** Moves to the next entry; false at the end. */
    public boolean advance() {
        boolean there = step();
        if (!there && circling) {
            circling = false;
            lastRound = true;
            current = null;
            fromStart();
            there = step();
        }
        over = !there || lastRound && isAfterLast(Objects.requireNonNull(current).hash());
        return !over;
    }

    private boolean isAfterLast(int hash) {
        return Integer.compareUnsigned(hash, last) > 0;
    }

    private boolean step() {
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
        return false;
    }

    public K key() {
        return Objects.requireNonNull(current, "advance() first").key();
    }

    public V value() {
        return Objects.requireNonNull(current, "advance() first").value();
    }

    /** Whether the trie has {@code key}, and the walk has not reached it yet. */
    public boolean isAhead(K key) {
        if (over || lastRound && isAfterLast(HashTrie.spread(key))) {
            return false;
        }
        if (circling && !isAfterLast(HashTrie.spread(key))) {
            return trie.find(key) != null;
        }
        if (current != null && Integer.compareUnsigned(HashTrie.spread(key), current.hash()) < 0) {
            return false;
        }
        TrieNode.Leaf<K, V> wanted = trie.find(key);
        return wanted != null && (current == null || wanted.hash() != current.hash() || aheadOfSameHash(wanted));
    }

    /** Looks in the array of the current entry, as entries of one hash are in one array. */
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
