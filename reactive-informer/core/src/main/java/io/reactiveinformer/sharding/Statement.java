package io.reactiveinformer.sharding;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * The content of a member's lease.
 *
 * @param members the names among which it divides the keys; without its own if it leaves, or has written none
 * @param finishing the hashes of keys outside of its share by that division that it is still working on
 */
record Statement(SortedSet<String> members, Set<Long> finishing) {

    static final Statement NOTHING = new Statement(new TreeSet<>(), Set.of());
}
