package io.reactiveinformer.sharding;

import io.reactiveinformer.sharding.MemberLease.Statement;
import io.reactiveinformer.sharding.ShardedController.Division;
import io.reactiveinformer.sharding.ShardedController.Share;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** A key belongs to a member by what this member has written and sees, and by nothing that another member says. */
class ShareTest {

    private static final SortedSet<String> A = members("a");
    private static final SortedSet<String> AB = members("a", "b");
    private static final SortedSet<String> AC = members("a", "c");

    private static SortedSet<String> members(String... names) {
        return new TreeSet<>(List.of(names));
    }

    private static Statement says(SortedSet<String> members, Long... finishing) {
        return new Statement(members, Set.of(finishing));
    }

    private static Share share(Set<Statement> said, SortedSet<String> living, Map<String, Statement> others) {
        return Share.of("a", said, living, others, () -> true, Division.byKey());
    }

    private static long[] owned(Share share) {
        return LongStream.range(0, 100).filter(share::owns).toArray();
    }

    private static long[] by(SortedSet<String> members) {
        return LongStream.range(0, 100).filter(key -> Rendezvous.owner(members, key).equals("a")).toArray();
    }

    @Test
    void whoIsAloneOwnsAll() {
        assertThat(owned(share(Set.of(says(A)), A, Map.of()))).hasSize(100);
        assertThat(owned(Share.of("a", Set.of(says(A)), A, Map.of(), () -> false, Division.byKey()))).as("its time is over").isEmpty();
    }

    @Test
    void allThatWasSaidAndSeenMustAgree() {
        assertThat(owned(share(Set.of(says(AB)), AB, Map.of("b", says(AB))))).isEqualTo(by(AB)).isNotEmpty().hasSizeLessThan(100);
        assertThat(owned(share(Set.of(says(A)), AB, Map.of()))).isEqualTo(by(AB));
        assertThat(owned(share(Set.of(says(A), says(AB)), A, Map.of()))).isEqualTo(by(AB));
    }

    /** Who lives by another division may work on what ours makes ours. */
    @Test
    void whatAnotherClaimsIsNotOurs() {
        long[] owned = owned(share(Set.of(says(AB)), AB, Map.of("c", says(members("b", "c")))));
        assertThat(owned).isEqualTo(LongStream.of(by(AB)).filter(key -> Rendezvous.owner(members("b", "c"), key).equals("b")).toArray());
        assertThat(owned).isNotEmpty().hasSizeLessThan(by(AB).length);
    }

    @Test
    void whatAnotherIsFinishingIsNotOursYet() {
        assertThat(owned(share(Set.of(says(A)), A, Map.of("b", says(A, 7L))))).hasSize(99).doesNotContain(7);
    }

    @Test
    void isTheSameWhereAllOfItIs() {
        Share share = share(Set.of(says(AB)), AB, Map.of("c", says(AC, 7L)));
        assertThat(share.isSameAs(share(Set.of(says(AB)), AB, Map.of("c", says(AC, 7L))))).isTrue();
        assertThat(share.isSameAs(Share.of("b", Set.of(says(AB)), AB, Map.of("c", says(AC, 7L)), () -> true, Division.byKey()))).isFalse();
        assertThat(share.isSameAs(share(Set.of(says(A)), AB, Map.of("c", says(AC, 7L))))).isFalse();
        assertThat(share.isSameAs(share(Set.of(says(AB)), A, Map.of("c", says(AC, 7L))))).isFalse();
        assertThat(share.isSameAs(share(Set.of(says(AB), says(A)), A, Map.of("c", says(AC, 7L))))).isFalse();
        assertThat(share.isSameAs(share(Set.of(says(AB)), AB, Map.of("c", says(AC))))).isFalse();
        assertThat(share.isSameAs(share(Set.of(says(AB)), AB, Map.of("d", says(AC, 7L))))).isFalse();
        assertThat(share.members()).isEqualTo(2);
    }
}
