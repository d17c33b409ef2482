package io.reactiveinformer.sharding;

import java.util.Collection;

/**
 * Rendezvous hashing: a key belongs to the member whose name, hashed together with the key, gives the highest number. Each process computes
 * the same numbers. A member that joins or leaves therefore moves only its own keys.
 */
final class Rendezvous {

    private Rendezvous() {}

    /** The owner of {@code key}; empty if there are no members. */
    static String owner(Collection<String> members, long key) {
        String owner = "";
        long highest = 0;
        for (String member : members) {
            long score = mix(hash(member) ^ Long.rotateLeft(key, 31));
            if (owner.isEmpty() || score > highest || score == highest && member.compareTo(owner) > 0) {
                owner = member;
                highest = score;
            }
        }
        return owner;
    }

    /** FNV-1a over UTF-16, mixed. */
    static long hash(String text) {
        long hash = 0xcbf29ce484222325L;
        for (int i = 0; i < text.length(); i++) {
            hash = (hash ^ text.charAt(i)) * 0x100000001b3L;
        }
        return mix(hash);
    }

    /** The finalizer of SplitMix64: each bit of the input changes about half of the bits of the output. */
    private static long mix(long bits) {
        long mixed = (bits ^ bits >>> 30) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ mixed >>> 27) * 0x94d049bb133111ebL;
        return mixed ^ mixed >>> 31;
    }
}
