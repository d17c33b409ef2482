package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import io.reactiveinformer.sharding.MemberLease.Statement;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class GroupViewTest {

    private final GroupView groupView = new GroupView(Duration.ofSeconds(15));

    private void look(Map<String, String> annotations) {
        groupView.look(List.of(new V1Lease()
                .metadata(new V1ObjectMeta().name("b").annotations(annotations))
                .spec(new V1LeaseSpec().holderIdentity("b").leaseDurationSeconds(15))), "a", 0);
    }

    /** What it said last is what it works by. */
    @Test
    void aMemberWhoseStatementWasWrittenOverKeepsItsClaims() {
        look(Map.of(MemberLease.MEMBERS, "a,b", MemberLease.FINISHING, "1f"));
        look(Map.of(MemberLease.MEMBERS, "a,b", MemberLease.FINISHING, "nonsense"));
        assertThat(groupView.members(0)).containsExactly("b");
        assertThat(groupView.statements(0).get("b").finishing()).containsExactly(0x1fL);
        look(Map.of());
        assertThat(groupView.members(0)).containsExactly("b");
    }

    private void renewed(int second) {
        groupView.look(List.of(new V1Lease()
                .metadata(new V1ObjectMeta().name("b"))
                .spec(new V1LeaseSpec().holderIdentity("b").leaseDurationSeconds(15).leaseTransitions(second))), "a", at(second));
    }

    private static long at(int second) {
        return Duration.ofSeconds(second).toNanos();
    }

    /** Two would work on one key if who has just come took a lease that lies there for a death, or none for all there are. */
    @Test
    void whetherAMemberLivesIsKnownOnceItsLeaseWasRenewedOrExpired() {
        renewed(1);
        assertThat(groupView.isSure(at(1))).as("it may be the lease of one who is gone").isFalse();
        assertThat(groupView.isSure(at(15))).isFalse();
        assertThat(groupView.isSure(at(16))).as("it is").isTrue();
        renewed(17);
        assertThat(groupView.isSure(at(17))).as("it has come back").isTrue();
    }

    /** Somebody else may have deleted it. */
    @Test
    void whoseLeaseWasDeletedLivesUntilItWouldHaveExpired() {
        look(Map.of(MemberLease.MEMBERS, "a,b"));
        groupView.look(List.of(), "a", at(14));
        assertThat(groupView.members(at(14))).containsExactly("b");
        groupView.look(List.of(), "a", at(15));
        assertThat(groupView.members(at(15))).isEmpty();
        assertThat(groupView.isSure(at(15))).isTrue();
    }

    @Test
    void whoNeverSaidAnythingIsNoMember() {
        look(Map.of(MemberLease.FINISHING, "1f"));
        assertThat(groupView.members(0)).isEmpty();
        assertThat(groupView.statements(0)).containsEntry("b", Statement.NOTHING);
    }
}
