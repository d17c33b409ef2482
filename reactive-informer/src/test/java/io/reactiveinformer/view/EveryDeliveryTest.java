package io.reactiveinformer.view;

import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Stream scenario 60: a subscriber that wants every state. */
class EveryDeliveryTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Rows rows = Rows.complete();

    private List<String> hears(Listening<String> listening) {
        scheduler.runAll();
        return listening.heard();
    }

    private Listening<String> synced() {
        Listening<String> listening = Listening.to(rows.hub.changes(Delivery.on(scheduler))).request(1_000_000);
        assertThat(hears(listening)).last().asString().startsWith("synced");
        return listening;
    }

    /** 60. */
    @Test
    void keepsEveryStateWhenAsked() {
        rows.put("a", "u", 1);
        Listening<String> listening = Listening.to(rows.hub.changes(Delivery.every(4).and(Delivery.on(scheduler))));
        rows.put("a", "u", 2).put("a", "u", 3).remove("a", 4).put("a", "v", 5);
        rows.edit("a", "w", 6).edit("b", "u", 7).edit("c", "u", 8).commit(); // one list: does not count
        assertThat(listening.backlog()).isEqualTo(10);
        assertThat(hears(listening.all())).containsExactly(
                "+a=u@1 (initial)", "synced 1", "a: u@1 -> u@2", "a: u@2 -> u@3", "-a=u@3 OBSERVED 4", "+a=v@5",
                "-a=v@5 OBSERVED 5", "+a=w@6", "+b=u@7", "+c=u@8");
        assertThat(listening.backlog()).isZero();
    }

    /** 60. */
    @Test
    void failsASubscriberThatIsTooSlowForEveryStateAndNobodyElse() {
        Listening<String> healthy = synced();
        Listening<String> slow = Listening.to(rows.hub.changes(Delivery.every(2).and(Delivery.on(scheduler)))).request(2);
        rows.put("a", "u", 1).put("a", "u", 2).put("a", "u", 3);
        scheduler.runAll();
        assertThat(slow.failure).isInstanceOf(BacklogOverflowException.class).hasMessageContaining("more than 2 changes");
        assertThat(healthy.heard()).containsExactly("+a=u@3");
    }

    @Test
    void letsWhatWasToldMakeRoomForMore() {
        Listening<String> listening = Listening.to(rows.hub.changes(Delivery.every(2).and(Delivery.on(scheduler)))).all();
        for (int i = 1; i <= 10; i++) {
            rows.put("a", "u", i);
            scheduler.runAll();
        }
        assertThat(listening.failure).isNull();
        assertThat(listening.heard).hasSize(11);
    }

    @Test
    void countsNothingThatWasTold() {
        Listening<String> listening = Listening.to(rows.hub.changes(Delivery.every(1).and(Delivery.on(scheduler)))).request(2);
        hears(listening);
        rows.put("a", "u", 1);
        assertThat(hears(listening)).as("it has no more demand").containsExactly("+a=u@1");
        rows.put("a", "u", 2);
        assertThat(hears(listening.all())).containsExactly("a: u@1 -> u@2");
        assertThat(listening.failure).isNull();
    }
}
