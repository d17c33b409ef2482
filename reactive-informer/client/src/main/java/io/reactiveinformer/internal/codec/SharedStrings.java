package io.reactiveinformer.internal.codec;

import java.nio.charset.StandardCharsets;

/**
 * Returns equal strings as one instance: nine in ten strings of a cluster's objects are repetitions. Keeps a bounded number of them, and
 * may drop any; then there are two instances, without other consequences. For all threads.
 */
public final class SharedStrings {

    /*
     * A table of buckets of four places. The hash of a text selects its bucket.
     *
     *     bucket:  [ 0 ] [ 1 ] [ 2 ] [ 3 ]
     *                ◀─ a hit moves   ▲
     *                  one place      └─ a new text replaces this one, once the others are taken
     *
     * So a frequent string moves to the front within a few hits, and stays there, however many strings occur only once: these replace each
     * other in the last place. An order of last use would cost a list and a lock; the exchange of two neighbours costs four writes.
     *
     * There are no locks, and no volatile accesses. A string is immutable, and safe to read however it was published. A race may lose an
     * entry, keep one twice, or leave a hash beside another string: each costs one more instance of a string, and no wrong one, since a hit
     * compares the characters.
     */

    private static final int PLACES = 4;
    private static final int BUCKETS = 1 << 12;

    /** Longer ones, such as scripts and certificates, would make the bound a large one. */
    private static final int LONGEST = 256;

    private final String[] table = new String[BUCKETS * PLACES];
    /** The hashes of the strings, so that only likely ones are compared; they may lag behind. */
    private final int[] hashes = new int[BUCKETS * PLACES];

    public String share(String text) {
        if (text.length() > LONGEST) {
            return text;
        }
        int hash = text.hashCode();
        int bucket = bucket(hash);
        for (int place = bucket; place < bucket + PLACES; place++) {
            if (hashes[place] == hash) {
                String known = table[place];
                if (known != null && known.equals(text)) {
                    return moveAhead(known, hash, place, bucket);
                }
            }
        }
        return enter(text, hash, bucket);
    }

    /**
     * As {@link #share(String)}, of ASCII, but makes the string only if there is none.
     *
     * @param hash the {@link String#hashCode} of the text
     */
    public String share(byte[] ascii, int from, int length, int hash) {
        if (length > LONGEST) {
            return new String(ascii, from, length, StandardCharsets.ISO_8859_1);
        }
        int bucket = bucket(hash);
        for (int place = bucket; place < bucket + PLACES; place++) {
            if (hashes[place] == hash) {
                String known = table[place];
                if (known != null && equal(known, ascii, from, length)) {
                    return moveAhead(known, hash, place, bucket);
                }
            }
        }
        return enter(new String(ascii, from, length, StandardCharsets.ISO_8859_1), hash, bucket);
    }

    public static boolean equal(String text, byte[] ascii, int from, int length) {
        if (text.length() != length) {
            return false;
        }
        for (int i = 0; i < length; i++) {
            if (text.charAt(i) != ascii[from + i]) {
                return false;
            }
        }
        return true;
    }

    private String moveAhead(String known, int hash, int place, int bucket) {
        if (place > bucket) {
            table[place] = table[place - 1];
            hashes[place] = hashes[place - 1];
            table[place - 1] = known;
            hashes[place - 1] = hash;
        }
        return known;
    }

    private String enter(String text, int hash, int bucket) {
        int place = bucket;
        while (place < bucket + PLACES - 1 && table[place] != null) {
            place++;
        }
        table[place] = text;
        hashes[place] = hash;
        return text;
    }

    private static int bucket(int hash) {
        int spread = hash * 0x9E3779B9;
        return (spread >>> 20 & BUCKETS - 1) * PLACES;
    }
}
