package io.reactiveinformer.internal.readers;

import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * Finds trees of an object that were read before: in another object, or earlier in the same one, as the mount of a token is in each
 * container. Of the same object it knows the first {@value #MOST} trees that were not read along a cached state.
 *
 * <p>When a tree is put into {@link SharedTrees}, its parts are not: if the whole is found, the parts are not looked for. A part that
 * occurs in another whole is put there then.
 */
final class ReadTrees {

    private static final byte[] NONE = {};
    private static final int BITS_OF_PLACE = 8;
    private static final int PLACES = 1 << BITS_OF_PLACE;
    private static final int MOST = PLACES / 2;

    private final SharedTrees shared;
    private final CRC32 checksum = new CRC32();

    // Of this object: each tree in the first free place from its own on.
    private final @Nullable Object[] shapes = new @Nullable Object[PLACES];
    private final @Nullable Object[] values = new @Nullable Object[PLACES];
    private final int[] beginnings = new int[PLACES];
    private final int[] ends = new int[PLACES];
    private final int[] taken = new int[MOST];
    private int count;

    private byte[] bytes = NONE;
    private int object;
    private boolean keeping; // whether the tree that is being read, or a larger one that it is in, will be kept

    ReadTrees(SharedTrees shared) {
        this.shared = shared;
    }

    void beginObject(byte[] bytesOfObject) {
        bytes = bytesOfObject;
        object = shared.nextObject();
    }

    /** Releases everything of the object, so that nothing is kept until the next one comes. */
    void endObject() {
        bytes = NONE;
        keeping = false; // in case it was not read to its end
        for (int i = 0; i < count; i++) {
            shapes[taken[i]] = null;
            values[taken[i]] = null;
        }
        count = 0;
    }

    int hash(SharedShape<?> shape, int from, int to) {
        checksum.reset();
        checksum.update(bytes, from, to - from);
        return (int) checksum.getValue() ^ shape.salt;
    }

    /**
     * @param hasHeldState whether there is a cached state: then the tree is read along that rather than taken from elsewhere in the object
     */
    @Nullable Object find(SharedShape<?> shape, int from, int to, int hash, boolean hasHeldState) {
        Object known = shared.find(shape, bytes, from, to, hash);
        return known == null && !hasHeldState ? values[placeFor(shape, from, to, hash)] : known;
    }

    /**
     * Reads a tree that was not found; puts it into {@link SharedTrees} if another object had such bytes before. Remembers it for the rest
     * of the object, too, unless it has a cached state: to note each of those slows bursts of changes by 3 to 5 %, and hardly any is found
     * again.
     */
    <R> Object read(SharedShape<R> shape, R in, int from, int to, int hash, @Nullable Object before) {
        boolean isToBeKept = shared.meet(hash, object) && !keeping;
        keeping |= isToBeKept;
        Object value = shape.bind(in, before);
        if (isToBeKept) {
            keeping = false;
            if (value != before) {
                shared.put(shape, Arrays.copyOfRange(bytes, from, to), hash, value);
            }
        }
        if (before == null && count < MOST) {
            int place = placeFor(shape, from, to, hash);
            taken[count++] = place;
            shapes[place] = shape;
            values[place] = value;
            beginnings[place] = from;
            ends[place] = to;
        }
        return value;
    }

    /** A free place, or that of an equal tree. */
    private int placeFor(SharedShape<?> shape, int from, int to, int hash) {
        int place = hash * 0x9E3779B9 >>> Integer.SIZE - BITS_OF_PLACE;
        while (shapes[place] != null
                && !(shapes[place] == shape && Arrays.equals(bytes, beginnings[place], ends[place], bytes, from, to))) {
            place = place + 1 & PLACES - 1;
        }
        return place;
    }
}
