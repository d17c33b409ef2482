package io.reactiveinformer.controller;

import io.kubernetes.client.openapi.models.V1Condition;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ConditionsTest {

    private static final OffsetDateTime EARLIER = OffsetDateTime.parse("1969-12-31T23:00:00Z");

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final V1Condition others = new V1Condition().type("Audited").status("True").reason("Fine").message("m")
            .lastTransitionTime(EARLIER);
    private final V1Condition ready = new V1Condition().type("Ready").status("False").reason("Waiting").message("")
            .observedGeneration(1L).lastTransitionTime(EARLIER);

    private Conditions conditions(long generation) {
        clock.advanceTimeBy(Duration.ofMillis(5500));
        return Conditions.of(List.of(ready, others), generation, clock);
    }

    @Test
    void aChangedStatusChangesTheTime() {
        Conditions changed = conditions(2).with("Ready", "True", "Published", "done");
        assertThat(changed.list()).containsExactly(new V1Condition().type("Ready").status("True").reason("Published").message("done")
                .observedGeneration(2L).lastTransitionTime(OffsetDateTime.parse("1970-01-01T00:00:05Z")), others);
        assertThat(changed.isTrue("Ready")).isTrue();
        assertThat(ready.getStatus()).isEqualTo("False");
    }

    @Test
    void anotherReasonDoesNot() {
        V1Condition changed = conditions(2).with("Ready", "False", "Failed", "no quota").get("Ready").orElseThrow();
        assertThat(changed.getLastTransitionTime()).isEqualTo(EARLIER);
        assertThat(changed.getReason()).isEqualTo("Failed");
        assertThat(changed.getObservedGeneration()).isEqualTo(2);
    }

    @Test
    void theSameAgainIsNoChange() {
        assertThat(conditions(1).with("Ready", "False", "Waiting", "")).isEqualTo(conditions(1));
        assertThat(conditions(2).with("Ready", "False", "Waiting", "")).isNotEqualTo(conditions(2));
    }

    @Test
    void aNewOneComesLast() {
        Conditions more = conditions(1).with("Synced", "Unknown", "NotYet", "");
        assertThat(more.list()).extracting(V1Condition::getType).containsExactly("Ready", "Audited", "Synced");
        assertThat(more.without("Ready").list()).extracting(V1Condition::getType).containsExactly("Audited", "Synced");
        assertThat(Conditions.of(null, null, clock).with("Ready", "True", "Ok", "").list()).hasSize(1);
        assertThat(Conditions.of(null, null, clock).isTrue("Ready")).isFalse();
    }

    @Test
    void refusesWhatTheServerWouldRefuse() {
        Conditions none = Conditions.of(null, 1L, clock);
        assertThatIllegalArgumentException().isThrownBy(() -> none.with("", "True", "Ok", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> none.with("Ready", "true", "Ok", "")).withMessageContaining("\"true\"");
        assertThatIllegalArgumentException().isThrownBy(() -> none.with("Ready", "True", "", ""));
        assertThatIllegalArgumentException().isThrownBy(() -> none.with("Ready", "True", "not good", ""))
                .withMessageContaining("CamelCase");
        assertThat(none.with("Ready", "True", "Ok", "x".repeat(40_000)).list().get(0).getMessage()).hasSize(32768);
    }
}
