package io.reactiveinformer.codec;

import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;

/**
 * The trees of one object after the other, as far as they were read before: in another object, or further up in the same one, as the mount of a
 * token is in each container. What is in the same object is looked for only among some of the trees that were read last.
 *
 * <p>Of a tree that is kept in {@link SharedTrees} no part is kept there once more: who finds the whole does not look for the part. A part that is
 * met in another whole, too, is kept then.
 */
final class ReadTrees {

    private static final byte[] NONE = {};
    private static final int PLACES = 64;

    private final SharedTrees shared;
    private final CRC32 checksum = new CRC32();
    private final @Nullable TreeShape[] shapes = new @Nullable TreeShape[PLACES];
    private final @Nullable Object[] values = new @Nullable Object[PLACES];
    private final int[] beginnings = new int[PLACES];
    private final int[] ends = new int[PLACES];

    private byte[] bytes = NONE;
    private int object;
    private boolean hasAny;
    private boolean keeping; // the tree that is being read, or a larger one that it is in

    ReadTrees(SharedTrees shared) {
        this.shared = shared;
    }

    void beginObject(byte[] bytesOfObject) {
        bytes = bytesOfObject;
        object = shared.nextObject();
        keeping = false;
    }

    /** Nothing of an object is held until the next one comes. */
    void clear() {
        bytes = NONE;
        if (hasAny) {
            Arrays.fill(shapes, null);
            Arrays.fill(values, null);
            hasAny = false;
        }
    }

    int hash(TreeShape shape, int from, int to) {
        checksum.reset();
        checksum.update(bytes, from, to - from);
        return (int) checksum.getValue() ^ shape.salt;
    }

    /** @param isHeld whether a state of it is held: then it is to be that one rather than one from the same object */
    @Nullable Object find(TreeShape shape, int from, int to, int hash, boolean isHeld) {
        Object known = shared.find(shape, bytes, from, to, hash);
        return known == null && !isHeld ? ofObject(shape, from, to, hash) : known;
    }

    private @Nullable Object ofObject(TreeShape shape, int from, int to, int hash) {
        int place = place(hash);
        return shapes[place] == shape && Arrays.equals(bytes, beginnings[place], ends[place], bytes, from, to) ? values[place] : null;
    }

    /** To be called before the parts of a tree are read. @return whether it is to be told to {@link #keep} */
    boolean begin(int hash) {
        if (keeping) {
            return false;
        }
        keeping = shared.meet(hash, object);
        return keeping;
    }

    void keep(TreeShape shape, int from, int to, int hash, Object value, boolean isHeld) {
        keeping = false;
        if (!isHeld) {
            shared.put(shape, Arrays.copyOfRange(bytes, from, to), hash, value);
        }
    }

    /** Of one of which no state is held. */
    void add(TreeShape shape, int from, int to, int hash, Object value) {
        hasAny = true;
        int place = place(hash);
        shapes[place] = shape;
        values[place] = value;
        beginnings[place] = from;
        ends[place] = to;
    }

    private static int place(int hash) {
        return hash * 0x9E3779B9 >>> 26;
    }
}
