package io.reactiveinformer.sharding;

import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * What a member says in its lease.
 *
 * @param members by whose names it divides the keys; without its own if it leaves, or says nothing
 * @param finishing keys that are not its own by that, as it sees it, but that it is still working on
 */
record Statement(SortedSet<String> members, Set<Long> finishing) {

    static final Statement NOTHING = new Statement(new TreeSet<>(), Set.of());
}
