package io.reactiveinformer.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 11. */
class ResyncTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Delivery eachMinute = Delivery.resync(Duration.ofMinutes(1)).and(Delivery.on(scheduler));
    private final Rows rows = Rows.complete();

    private List<String> hears(Listening<String> listening) {
        scheduler.runAll();
        return listening.heard();
    }

    /** 8.4.80, 8.5.97: what waits takes a resync in, and what is gone is not told again. */
    @Test
    void tellsEachRowAgainAfterEachPeriod() {
        rows.put("a", "u", 1).put("b", "u", 2).put("c", "u", 3);
        Listening<String> listening =
                Listening.to(rows.hub.changes(eachMinute)).request(4);
        scheduler.tick();
        hears(listening);
        scheduler.tick();
        assertThat(listening.backlog()).isEqualTo(3);
        rows.put("a", "u", 4).put("b", "u", 5).put("b", "u", 2).remove("c", 6).put("d", "u", 7);
        scheduler.tick();
        assertThat(hears(listening.all()))
                .containsExactlyInAnyOrder("a: u@1 -> u@4", "b: u@2 -> u@2", "-c=u@3 OBSERVED 6", "+d=u@7");
        scheduler.tick();
        assertThat(hears(listening)).containsExactlyInAnyOrder("a: u@4 -> u@4", "b: u@2 -> u@2", "d: u@7 -> u@7");
        assertThat(listening.backlog()).isZero();
    }

    @Test
    void doesNotLetAHotRowStarveAResync() {
        rows.put("a", "u", 1).put("hot", "u", 2);
        Listening<String> listening =
                Listening.to(rows.hub.changes(eachMinute)).request(3);
        hears(listening);
        scheduler.tick();
        List<String> heard = new ArrayList<>();
        for (int i = 10; i < 14; i++) {
            rows.put("hot", "u", i);
            listening.request(1);
            heard.addAll(hears(listening));
        }
        assertThat(heard).contains("a: u@1 -> u@1");
    }

    @Test
    void beginsAnewAtOnceWhenItFellDueDuringTheOneBefore() {
        rows.put("a", "u", 1).put("b", "u", 2).put("c", "u", 3);
        Listening<String> listening = Listening.to(rows.hub.changes(eachMinute)).request(4);
        hears(listening);
        scheduler.tick();
        listening.request(1);
        hears(listening);
        scheduler.tick();
        hears(listening);

        assertThat(hears(listening.all())).as("two of the first, three of the second").hasSize(5);
        assertThat(listening.backlog()).isZero();
    }

    /** It would never come to its end. */
    @Test
    void tellsNothingAgainOnceTheRowsAreOver() {
        rows.put("a", "u", 1).put("b", "u", 2);
        Listening<String> listening = Listening.to(rows.hub.changes(eachMinute)).request(3);
        hears(listening);
        rows.put("a", "u", 3);
        rows.hub.complete();
        scheduler.tick();
        listening.request(1);

        assertThat(hears(listening)).containsExactly("a: u@1 -> u@3");
        assertThat(listening.completed).isTrue();
    }
}
