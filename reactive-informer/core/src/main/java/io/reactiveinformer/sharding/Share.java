package io.reactiveinformer.sharding;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.BooleanSupplier;

/** Which keys are ours, as things stood when we looked. Any thread may ask. */
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
     * What {@code living} and all that was {@code said} make ours, and nobody else claims.
     *
     * @param said each that our lease may say: one of which it is unknown whether it arrived may yet
     * @param others what those who live say
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
        theirs.keySet().removeAll(ours); // by which those keys that are ours are nobody else's
        return new Share(member, ours, living, theirs, finishing, holds, division);
    }

    /**
     * Whether {@code key} is ours, now: not any more once others may count us as gone, which a process that was frozen learns here first. Ask before what
     * must not be done by two.
     *
     * @param key told apart by its {@code toString}, which must be the same in every process
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

    /** Among how many the keys are divided, by what we saw, ourselves included; 0 while we have no part in it. */
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
