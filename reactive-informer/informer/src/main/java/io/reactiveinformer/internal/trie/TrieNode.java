package io.reactiveinformer.internal.trie;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** A node of a {@link HashTrie}: one entry, the entries of one hash, or up to 32 parts that differ in the next five bits of the hash. */
sealed interface TrieNode<K, V> permits Branch, TrieNode.Leaf, TrieNode.Clash {

    /**
     * The shift at the root. The highest bits of the hash come first, so that a walk over the parts in order visits the hashes in unsigned
     * order.
     */
    int TOP = 27;

    int BITS = 5;

    /** A node with {@code leaf} in place of the entry of its key; this node if nothing changes. */
    TrieNode<K, V> with(Leaf<K, V> leaf, int shift, Edit edit);

    /** A node without {@code key}; null if no entry is left, this node if it has no such key. */
    @Nullable TrieNode<K, V> without(int hash, K key, int shift, Edit edit);

    /** The part, of 32, that the hash belongs to. The last level has only the two lowest bits. */
    static int part(int hash, int shift) {
        return shift < 0 ? hash & 3 : hash >>> shift & 31;
    }

    /** One entry. */
    record Leaf<K, V>(int hash, K key, V value) implements TrieNode<K, V>, HashTrie.Entry<K, V> {

        /**
         * Calls {@code equals} of the wanted key, not of the stored one: the JIT knows its class since its hash was computed, and needs no
         * type check.
         */
        @Nullable Leaf<K, V> find(int wantedHash, K wanted) {
            return hash == wantedHash && wanted.equals(key) ? this : null;
        }

        @Override
        public TrieNode<K, V> with(Leaf<K, V> leaf, int shift, Edit edit) {
            if (leaf.hash != hash) {
                edit.grown = 1;
                return Branch.of(this, hash, leaf, shift, edit);
            }
            if (!leaf.key.equals(key)) {
                edit.grown = 1;
                return new Clash<>(hash, Clash.leaves(this, leaf));
            }
            return leaf.value == value ? this : leaf;
        }

        @Override
        public @Nullable TrieNode<K, V> without(int unwantedHash, K unwanted, int shift, Edit edit) {
            if (find(unwantedHash, unwanted) == null) {
                return this;
            }
            edit.grown = -1;
            return null;
        }
    }

    /** Two or more entries of one hash. Too rare to be edited in place. */
    @SuppressWarnings("ArrayRecordComponent") // never compared, and never written to
    record Clash<K, V>(int hash, Leaf<K, V>[] entries) implements TrieNode<K, V> {

        @SafeVarargs
        @SuppressWarnings("varargs") // the array is created here, and never written to again
        static <K, V> Leaf<K, V>[] leaves(Leaf<K, V>... leaves) {
            return leaves;
        }

        @Nullable Leaf<K, V> find(int wantedHash, K wanted) {
            int place = hash == wantedHash ? place(wanted) : -1;
            return place < 0 ? null : entries[place];
        }

        @Override
        public TrieNode<K, V> with(Leaf<K, V> leaf, int shift, Edit edit) {
            if (leaf.hash != hash) {
                edit.grown = 1;
                return Branch.of(this, hash, leaf, shift, edit);
            }
            int place = place(leaf.key());
            if (place >= 0 && entries[place].value() == leaf.value()) {
                return this;
            }
            Leaf<K, V>[] edited = Arrays.copyOf(entries, place < 0 ? entries.length + 1 : entries.length);
            edited[place < 0 ? entries.length : place] = leaf;
            edit.grown = place < 0 ? 1 : 0;
            return new Clash<>(hash, edited);
        }

        @Override
        public TrieNode<K, V> without(int unwantedHash, K unwanted, int shift, Edit edit) {
            int place = hash == unwantedHash ? place(unwanted) : -1;
            if (place < 0) {
                return this;
            }
            edit.grown = -1;
            if (entries.length == 2) {
                return entries[1 - place];
            }
            Leaf<K, V>[] left = Arrays.copyOf(entries, entries.length - 1);
            System.arraycopy(entries, place + 1, left, place, left.length - place);
            return new Clash<>(hash, left);
        }

        private int place(K key) {
            for (int i = 0; i < entries.length; i++) {
                if (entries[i].key().equals(key)) {
                    return i;
                }
            }
            return -1;
        }
    }
}
