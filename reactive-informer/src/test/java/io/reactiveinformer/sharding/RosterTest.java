package io.reactiveinformer.sharding;

import io.kubernetes.client.openapi.models.V1Lease;
import io.kubernetes.client.openapi.models.V1LeaseSpec;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

class RosterTest {

    private final Roster roster = new Roster(Duration.ofSeconds(15));

    private void look(Map<String, String> annotations) {
        roster.look(List.of(new V1Lease()
                .metadata(new V1ObjectMeta().name("b").annotations(annotations))
                .spec(new V1LeaseSpec().holderIdentity("b").leaseDurationSeconds(15))), "a", 0);
    }

    /** What it said last is what it works by. */
    @Test
    void aMemberWhoseStatementWasWrittenOverKeepsItsClaims() {
        look(Map.of(MemberLease.MEMBERS, "a,b", MemberLease.FINISHING, "1f"));
        look(Map.of(MemberLease.MEMBERS, "a,b", MemberLease.FINISHING, "nonsense"));
        assertThat(roster.members(0)).containsExactly("b");
        assertThat(roster.statements(0).get("b").finishing()).containsExactly(0x1fL);
        look(Map.of());
        assertThat(roster.members(0)).containsExactly("b");
    }

    @Test
    void whoNeverSaidAnythingIsNoMember() {
        look(Map.of(MemberLease.FINISHING, "1f"));
        assertThat(roster.members(0)).isEmpty();
        assertThat(roster.statements(0)).containsEntry("b", Statement.NOTHING);
    }
}
