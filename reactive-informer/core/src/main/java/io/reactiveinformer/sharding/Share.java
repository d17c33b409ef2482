package io.reactiveinformer.sharding;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/** The keys that this member owns, by the leases as it last read them. Thread-safe. */
public final class Share {

    static final Share NONE = new Share("", Set.of(), new TreeSet<>(), Map.of(), Set.of(), () -> false, Division.byKey());

    private final String member;
    private final Set<SortedSet<String>> said;
    private final SortedSet<String> living;
    private final Map<SortedSet<String>, Set<String>> others;
    private final Set<Long> finishing;
    private final BooleanSupplier holds;
    private final Division division;

    private Share(
            String member,
            Set<SortedSet<String>> said,
            SortedSet<String> living,
            Map<SortedSet<String>, Set<String>> others,
            Set<Long> finishing,
            BooleanSupplier holds,
            Division division) {
        this.division = division;
        this.member = member;
        this.said = said;
        this.living = living;
        this.others = others;
        this.finishing = finishing;
        this.holds = holds;
    }

    /**
     * The keys of {@code member} by {@code living} and by all of {@code said}, without those that another member claims.
     *
     * @param said each statement that the own lease may contain: a write without an answer may still arrive
     * @param others the statements of the living members
     */
    static Share of(String member, Set<Statement> said, SortedSet<String> living, Map<String, Statement> others, BooleanSupplier holds, Division division) {
        Set<SortedSet<String>> ours = new HashSet<>();
        said.forEach(statement -> ours.add(statement.members()));
        ours.add(living);
        Map<SortedSet<String>, Set<String>> theirs = new HashMap<>();
        Set<Long> finishing = new HashSet<>();
        others.forEach((author, statement) -> {
            theirs.computeIfAbsent(statement.members(), first -> new HashSet<>()).add(author);
            finishing.addAll(statement.finishing());
        });
        theirs.keySet().removeAll(ours); // by an equal division, another member's keys are not this member's anyway
        return new Share(member, ours, living, theirs, finishing, holds, division);
    }

    /**
     * Whether this member owns {@code key} now. False once the others may count this member as gone: after a process was frozen, this shows
     * it first. Check it before an effect that two members must not have.
     *
     * @param key identified by its {@code toString}, which must be the same in every process
     */
    public boolean owns(Object key) {
        return owns(division.hash(key));
    }

    boolean owns(long key) {
        return holds.getAsBoolean() && includes(key);
    }

    private boolean includes(long key) {
        for (SortedSet<String> members : said) {
            if (!Rendezvous.owner(members, key).equals(member)) {
                return false;
            }
        }
        for (var division : others.entrySet()) {
            if (division.getValue().contains(Rendezvous.owner(division.getKey(), key))) {
                return false;
            }
        }
        return !finishing.contains(key);
    }

    /** The number of members that divide the keys, as last seen, this one included; 0 while this member has no share. */
    public int members() {
        return living.size();
    }

    boolean isSameAs(Share other) {
        return member.equals(other.member) && said.equals(other.said) && living.equals(other.living) && others.equals(other.others)
                && finishing.equals(other.finishing);
    }

    /** {@code web-1f4 of [web-1f4, web-9c0]}. */
    @Override
    public String toString() {
        return member.isEmpty() ? "nothing" : member + " of " + living;
    }
}
