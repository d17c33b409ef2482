package io.reactiveinformer.sharding;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a member has written to its lease.
 *
 * @param members the names of the members among which it divides the keys; without its own if it leaves
 * @param finishing the hashes of the keys that it is still working on although they are outside of its share by that division
 */
record Statement(SortedSet<String> members, Set<Long> finishing) {

    static final Statement NOTHING = new Statement(new TreeSet<>(), Set.of());
}
