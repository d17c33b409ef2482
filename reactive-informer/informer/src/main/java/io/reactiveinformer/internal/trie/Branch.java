package io.reactiveinformer.internal.trie;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * A trie node whose parts differ in the next five bits of their hash. Keeps only the existing parts, in order, and a bitmap with a bit for
 * each of them.
 */
final class Branch<K, V> implements TrieNode<K, V> {

    private final Edit owner;
    private int bitmap;

    /** Written only while {@link #owner} is editing. */
    TrieNode<K, V>[] parts;

    private Branch(Edit owner, int bitmap, TrieNode<K, V>[] parts) {
        this.owner = owner;
        this.bitmap = bitmap;
        this.parts = parts;
    }

    /** A branch that is as deep as needed to separate {@code one} and {@code other}. */
    static <K, V> Branch<K, V> of(TrieNode<K, V> one, int hash, Leaf<K, V> other, int shift, Edit edit) {
        int part = TrieNode.part(hash, shift);
        int otherPart = TrieNode.part(other.hash(), shift);
        if (part == otherPart) {
            return new Branch<>(edit, 1 << part, array(of(one, hash, other, shift - BITS, edit)));
        }
        return new Branch<>(edit, 1 << part | 1 << otherPart, part < otherPart ? array(one, other) : array(other, one));
    }

    /** The part that the hash belongs to; null if there is none. */
    @Nullable TrieNode<K, V> part(int hash, int shift) {
        int bit = 1 << TrieNode.part(hash, shift);
        return (bitmap & bit) == 0 ? null : parts[place(bit)];
    }

    /** The number of parts before the place of the part that the hash belongs to, which may be missing. */
    int partsBefore(int hash, int shift) {
        return place(1 << TrieNode.part(hash, shift));
    }

    @Override
    public TrieNode<K, V> with(Leaf<K, V> leaf, int shift, Edit edit) {
        int bit = 1 << TrieNode.part(leaf.hash(), shift);
        int place = place(bit);
        if ((bitmap & bit) != 0) {
            TrieNode<K, V> part = parts[place].with(leaf, shift - BITS, edit);
            return part == parts[place] ? this : replace(place, part, edit);
        }
        edit.grown = 1;
        TrieNode<K, V>[] more = Arrays.copyOf(parts, parts.length + 1);
        System.arraycopy(parts, place, more, place + 1, parts.length - place);
        more[place] = leaf;
        return become(bitmap | bit, more, edit);
    }

    @Override
    public @Nullable TrieNode<K, V> without(int hash, K key, int shift, Edit edit) {
        int bit = 1 << TrieNode.part(hash, shift);
        if ((bitmap & bit) == 0) {
            return this;
        }
        int place = place(bit);
        TrieNode<K, V> part = parts[place].without(hash, key, shift - BITS, edit);
        if (part == parts[place]) {
            return this;
        }
        if (part != null) {
            return parts.length == 1 && !(part instanceof Branch) ? part : replace(place, part, edit);
        }
        if (parts.length == 1) {
            return null;
        }
        if (parts.length == 2 && !(parts[1 - place] instanceof Branch)) {
            return parts[1 - place]; // a single entry needs no branch
        }
        TrieNode<K, V>[] fewer = Arrays.copyOf(parts, parts.length - 1);
        System.arraycopy(parts, place + 1, fewer, place, fewer.length - place);
        return become(bitmap & ~bit, fewer, edit);
    }

    private int place(int bit) {
        return Integer.bitCount(bitmap & bit - 1);
    }

    private Branch<K, V> replace(int place, TrieNode<K, V> part, Edit edit) {
        TrieNode<K, V>[] edited = owner == edit ? parts : parts.clone();
        edited[place] = part;
        return become(bitmap, edited, edit);
    }

    private Branch<K, V> become(int newBitmap, TrieNode<K, V>[] newParts, Edit edit) {
        if (owner != edit) {
            return new Branch<>(edit, newBitmap, newParts);
        }
        bitmap = newBitmap;
        parts = newParts;
        return this;
    }

    @SafeVarargs
    @SuppressWarnings("varargs") // the array is made here, and belongs to the branch
    private static <K, V> TrieNode<K, V>[] array(TrieNode<K, V>... parts) {
        return parts;
    }
}
