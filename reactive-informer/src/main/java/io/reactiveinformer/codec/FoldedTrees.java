package io.reactiveinformer.codec;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/** An object's bytes with a placeholder for each of its trees that is known, or shall be from now on. One is filled again and again for a body. */
final class FoldedTrees {

    /** A tree that is to be bound, and then known: as it was in the bytes, and as it is with placeholders in its turn. */
    static final class Unbound {

        private final SharedTrees trees;
        private final TreeDeserializer reader;
        private final byte[] bytes;
        private final int hash;
        private final FoldedTrees within;

        Unbound(SharedTrees trees, TreeDeserializer reader, byte[] bytes, int hash, FoldedTrees within) {
            this.trees = trees;
            this.reader = reader;
            this.bytes = bytes;
            this.hash = hash;
            this.within = within;
        }

        FoldedTrees within() {
            return within;
        }

        void found(Object value) {
            trees.put(reader, bytes, hash, value);
        }
    }

    private static final int SMALL = 4 << 10;
    private static final int LARGE = 256 << 10;

    private byte[] bytes;
    private int length;
    private int[] places;
    private Object[] values;
    private int count;
    private int next;
    private @Nullable FoldedTrees inner;

    FoldedTrees() {
        this(new byte[SMALL], 0, new int[64], new Object[64], 0);
    }

    private FoldedTrees(byte[] bytes, int length, int[] places, Object[] values, int count) {
        this.bytes = bytes;
        this.length = length;
        this.places = places;
        this.values = values;
        this.count = count;
    }

    byte[] bytes() {
        return bytes;
    }

    int length() {
        return length;
    }

    int count() {
        return count;
    }

    void clear() {
        rewind(0, 0);
        if (bytes.length > LARGE) {
            bytes = new byte[SMALL];
        }
    }

    /** Forgets what was added later. */
    void rewind(int length, int count) {
        Arrays.fill(values, count, Math.max(this.count, count), null);
        this.length = length;
        this.count = count;
        this.next = 0;
        this.inner = null;
    }

    void add(byte[] source, int from, int to) {
        if (length + to - from >= bytes.length) {
            bytes = Arrays.copyOf(bytes, Math.max(bytes.length * 2, length + to - from + 1));
        }
        System.arraycopy(source, from, bytes, length, to - from);
        length += to - from;
    }

    /** @param value the tree, or one that is {@link Unbound} */
    void addPlaceholder(Object value) {
        if (count == places.length) {
            places = Arrays.copyOf(places, count * 2);
            values = Arrays.copyOf(values, count * 2);
        }
        places[count] = length;
        values[count++] = value;
        bytes[length++] = TreeDeserializer.PLACEHOLDER;
    }

    /** A copy of what was added after that. */
    FoldedTrees since(int length, int count) {
        int[] placesSince = Arrays.copyOfRange(places, count, this.count);
        for (int i = 0; i < placesSince.length; i++) {
            placesSince[i] -= length;
        }
        return new FoldedTrees(
                Arrays.copyOfRange(bytes, length, this.length), this.length - length, placesSince, Arrays.copyOfRange(values, count, this.count), placesSince.length);
    }

    /** Until {@link #leave}, what is asked for is in {@code tree}. */
    void enter(FoldedTrees tree) {
        if (inner == null) {
            inner = tree;
        } else {
            inner.enter(tree);
        }
    }

    void leave() {
        if (inner != null && inner.inner != null) {
            inner.leave();
        } else {
            inner = null;
        }
    }

    /** What belongs there; null if there is no placeholder. Asked for in the order of the bytes. */
    @Nullable Object at(long offset) {
        if (inner != null) {
            return inner.at(offset);
        }
        while (next < count && places[next] < offset) {
            next++;
        }
        return next < count && places[next] == offset ? values[next] : null;
    }
}
