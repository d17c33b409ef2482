package io.reactiveinformer.internal.readers;

import java.util.Arrays;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Objects, lists and maps that were bound before, found by the bytes they were bound from, which are compared in full: containers, volumes,
 * probes, labels, owner references are the same in all replicas. A tree that occurred once is remembered by a number only, so that one that
 * never occurs again costs next to nothing; a tree that occurs twice is kept, as a whole ({@link ReadTrees}).
 *
 * <p>Keeps a bounded number of bytes, and may drop any tree; then there are two instances, without other consequences. For all threads: a
 * look-up takes no lock.
 */
final class SharedTrees {

    /*
     * A tree is looked up in two tables, of which only the first keeps trees.
     *
     *     hash of bytes and shape ──▶ table, 4 slots a bucket ── the same bytes? ──▶ the kept instance
     *                                           │ no
     *                                           ▼
     *                                 met, one int a slot ── the hash of another object's tree? ──▶ read it, put it into the table
     *                                           │ no
     *                                           ▼
     *                                 read it; remember 24 bits of the hash and 8 of the object's number
     *
     * Most trees occur once: each pod has about twenty that no other pod has. They cost four bytes, which the next tree of that slot
     * overwrites. The table "met" may err: a tree may be kept without need, or one object later. The table "table" never does, since it
     * compares all bytes.
     *
     * A look-up writes nothing, and takes no lock: many threads read the same few trees. So no use is recorded, and eviction is simple. A
     * new entry takes an empty slot of its bucket, or that of the oldest entry in it. Above the limit of bytes, a hand moves around the
     * table and clears slots. An entry is immutable, and published by release and acquire. The hash beside it is plain, and may belong to
     * another entry for a moment: then the look-up misses, or the comparison of bytes fails.
     */

    /** Longer trees are not kept as a whole, only their parts. */
    static final int LONGEST = 16 << 10;

    private static final int WAYS = 4;
    private static final int FEWEST_PLACES = 1 << 10;
    private static final int MOST_PLACES = 1 << 17;
    /** So small are the smallest of which there are many, such as the mount of a volume. */
    private static final int BYTES_OF_PLACE = 1 << 8;
    private static final int MEETINGS = 1 << 15;
    private static final int OBJECTS = 0xFF;

    /** The size of a tree's entry, besides its bytes and its objects. */
    private static final int ENTRY = 64;

    private static final class Entry {

        private final SharedShape<?> shape;
        private final byte[] bytes;
        private final Object value;

        Entry(SharedShape<?> shape, byte[] bytes, Object value) {
            this.shape = shape;
            this.bytes = bytes;
            this.value = value;
        }

        boolean is(SharedShape<?> wanted, byte[] other, int from, int to) {
            return shape == wanted && bytes.length == to - from && Arrays.equals(bytes, 0, bytes.length, other, from, to);
        }
    }

    private final long most;
    private final int[] met = new int[MEETINGS];
    /** The hashes of the entries, so that only likely ones are compared; for readers they may lag behind. */
    private final int[] hashes;
    private final AtomicReferenceArray<@Nullable Entry> entries;
    private int objects; // a race may assign a number twice: then a tree is shared one object later
    private long held; // guarded by this
    private int hand; // guarded by this

    /** @param most how many bytes are kept, roughly */
    SharedTrees(long most) {
        this.most = most;
        int places = Integer.highestOneBit((int) Math.max(FEWEST_PLACES, Math.min(most / BYTES_OF_PLACE, MOST_PLACES)));
        hashes = new int[places];
        entries = new AtomicReferenceArray<>(places);
    }

    /** A sixty-fourth of the heap, at most 64 MB. */
    static SharedTrees create() {
        return new SharedTrees(Math.min(Runtime.getRuntime().maxMemory() >> 6, 64 << 20));
    }

    @Nullable Object find(SharedShape<?> shape, byte[] bytes, int from, int to, int hash) {
        int bucket = bucket(hash);
        for (int place = bucket; place < bucket + WAYS; place++) {
            if (hashes[place] == hash) {
                Entry known = entries.getAcquire(place);
                if (known != null && known.is(shape, bytes, from, to)) {
                    return known.value;
                }
            }
        }
        return null;
    }

    private int bucket(int hash) {
        return (hash * 0x9E3779B9 >>> 16 & hashes.length / WAYS - 1) * WAYS;
    }

    /** A number that distinguishes an object from those before it. */
    int nextObject() {
        return ++objects;
    }

    /**
     * Whether such bytes occurred before in another object, as far as is remembered.
     *
     * @param object {@linkplain #nextObject the number} of the object that they are in
     */
    boolean meet(int hash, int object) {
        int place = hash * 0x9E3779B9 >>> 17;
        int meeting = hash & ~OBJECTS | object & OBJECTS;
        int difference = met[place] ^ meeting;
        met[place] = meeting;
        return difference != 0 && (difference & ~OBJECTS) == 0;
    }

    synchronized void put(SharedShape<?> shape, byte[] bytes, int hash, Object value) {
        if (find(shape, bytes, 0, bytes.length, hash) != null) {
            return; // another thread was first
        }
        set(placeFor(hash), new Entry(shape, bytes, value), hash);
        for (int steps = 0; held > most && steps < hashes.length; steps++) {
            hand = (hand + 1) % hashes.length;
            set(hand, null, 0);
        }
    }

    /** An empty slot, or that of the oldest entry. */
    private int placeFor(int hash) {
        int bucket = bucket(hash);
        for (int place = bucket; place < bucket + WAYS; place++) {
            if (entries.get(place) == null) {
                return place;
            }
        }
        Entry longest = entries.get(bucket);
        int hashOfLongest = hashes[bucket];
        for (int place = bucket; place < bucket + WAYS - 1; place++) {
            set(place, entries.get(place + 1), hashes[place + 1]);
        }
        set(bucket + WAYS - 1, longest, hashOfLongest);
        return bucket + WAYS - 1;
    }

    private void set(int place, @Nullable Entry entry, int hash) {
        held += size(entry) - size(entries.get(place));
        entries.setRelease(place, entry);
        hashes[place] = hash;
    }

    /** The objects of a tree take about twice the memory of its bytes. */
    private static long size(@Nullable Entry entry) {
        return entry == null ? 0 : ENTRY + entry.bytes.length * 3L;
    }
}
