package io.reactiveinformer.sharding;

import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A set of keys: the union of the shares of a member by several divisions, described without listing the keys. */
record Extent(Set<Claim> claims) {

    static final Extent NOTHING = new Extent(Set.of());

    /** The keys of {@code member} if {@code members} divide the keys. */
    record Claim(String member, SortedSet<String> members) {

        boolean has(long key) {
            return Rendezvous.owner(members, key).equals(member);
        }

        /** Whether this includes all keys of {@code other}: among more members, a member has a subset of what it has among fewer. */
        boolean covers(Claim other) {
            return member.equals(other.member) && members.contains(member) && other.members.containsAll(members);
        }
    }

    boolean has(long key) {
        for (Claim claim : claims) {
            if (claim.has(key)) {
                return true;
            }
        }
        return false;
    }

    boolean covers(Extent other) {
        return other.claims.stream().allMatch(theirs -> claims.stream().anyMatch(ours -> ours.covers(theirs)));
    }

    Extent and(Extent other) {
        Set<Claim> all = Stream.concat(claims.stream(), other.claims.stream()).collect(Collectors.toSet());
        return new Extent(all.stream()
                .filter(claim -> all.stream().noneMatch(wider -> !wider.equals(claim) && wider.covers(claim)))
                .collect(Collectors.toSet()));
    }
}
