package io.reactiveinformer.view;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.DynamicTest.dynamicTest;

/** Law 11. */
class ResyncTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Delivery eachMinute = Delivery.conflated().resync(Duration.ofMinutes(1)).on(scheduler);
    private final Delivery everyAndEachMinute = Delivery.every(10).resync(Duration.ofMinutes(1)).on(scheduler);
    private final Rows rows = Rows.complete();

    private List<String> received(Listening<String> listening) {
        scheduler.runAll();
        return listening.received();
    }

    /** Most executors have no clock: those of virtual threads, and the usual ones of frameworks. */
    @Test
    void aSchedulerWithoutAClockResyncsByAnotherOne() {
        VirtualTimeScheduler clock = VirtualTimeScheduler.getOrSet();
        try {
            Scheduler tasks = Schedulers.fromExecutor(Runnable::run);
            rows.put("a", "u", 1);
            Listening<String> listening = Listening.to(
                    rows.hub.changes(Delivery.conflated().resync(Duration.ofMinutes(1)).on(tasks))).all();
            clock.advanceTimeBy(Duration.ofMinutes(2));
            assertThat(listening.received()).containsExactly("+a=u@1 (initial)", "synced 1", "a: u@1 -> u@1", "a: u@1 -> u@1");
            assertThat(listening.failure).isNull();
            listening.subscription.cancel();
            long before = clock.getScheduledTaskCount();
            clock.advanceTimeBy(Duration.ofHours(1));
            assertThat(clock.getScheduledTaskCount()).isEqualTo(before);
        } finally {
            VirtualTimeScheduler.reset();
        }
    }

    /** 8.4.80, 8.5.97: what waits takes a resync in, and what is gone is not emitted again. */
    @Test
    void tellsEachRowAgainAfterEachPeriod() {
        rows.put("a", "u", 1).put("b", "u", 2).put("c", "u", 3);
        Listening<String> listening =
                Listening.to(rows.hub.changes(eachMinute)).request(4);
        scheduler.tick();
        received(listening);
        scheduler.tick();
        assertThat(listening.backlog()).isEqualTo(3);
        rows.put("a", "u", 4).put("b", "u", 5).put("b", "u", 2).remove("c", 6).put("d", "u", 7);
        scheduler.tick();
        assertThat(received(listening.all()))
                .containsExactlyInAnyOrder("a: u@1 -> u@4", "b: u@2 -> u@2", "-c=u@3 OBSERVED 6", "+d=u@7");
        scheduler.tick();
        assertThat(received(listening)).containsExactlyInAnyOrder("a: u@4 -> u@4", "b: u@2 -> u@2", "d: u@7 -> u@7");
        assertThat(listening.backlog()).isZero();
    }

    /** Law 11: a resync is a flag on the key, not an equality. */
    @Test
    void aRowThatIsAsItWasAgainIsEmittedAllTheSame() {
        rows.put("a", "u", 2);
        Listening<String> listening = Listening.to(rows.hub.changes(eachMinute)).request(2);
        received(listening);
        scheduler.tick();
        rows.put("a", "u", 5).put("a", "u", 2);
        assertThat(received(listening.all())).containsExactly("a: u@2 -> u@2");
    }

    @Test
    void doesNotLetAHotRowStarveAResync() {
        rows.put("a", "u", 1).put("hot", "u", 2);
        Listening<String> listening =
                Listening.to(rows.hub.changes(eachMinute)).request(3);
        received(listening);
        scheduler.tick();
        List<String> received = new ArrayList<>();
        for (int i = 10; i < 14; i++) {
            rows.put("hot", "u", i);
            listening.request(1);
            received.addAll(received(listening));
        }
        assertThat(received).contains("a: u@1 -> u@1");
    }

    @Test
    void doesNotLetAStreamOfChangesStarveAResyncWhereEachIsEmitted() {
        rows.put("a", "u", 1).put("hot", "u", 2);
        Listening<String> listening = synced(everyAndEachMinute);
        scheduler.tick();
        rows.put("hot", "u", 9);
        List<String> received = new ArrayList<>();
        for (int i = 10; i < 14; i++) {
            rows.put("hot", "u", i);
            listening.request(1);
            received.addAll(received(listening));
        }
        assertThat(received).contains("a: u@1 -> u@1");
    }

    private Listening<String> synced(Delivery delivery) {
        Listening<String> listening = Listening.to(rows.hub.changes(delivery)).request(rows.snapshot().size() + 1);
        received(listening);
        return listening;
    }

    private Delivery[] deliveries() {
        return new Delivery[] {eachMinute, everyAndEachMinute};
    }

    /** A period that passes meanwhile marks what was emitted already, and finds the others marked. */
    @TestFactory
    Stream<DynamicTest> emitsEachRowOnceAfterAPeriodThatPassesDuringTheWalkOfTheOneBefore() {
        return Stream.of(deliveries()).map(delivery -> dynamicTest(delivery == eachMinute ? "conflated" : "every", () -> {
            var test = new ResyncTest();
            test.rows.put("a", "u", 1).put("b", "u", 2).put("c", "u", 3);
            Listening<String> listening = test.synced(delivery.on(test.scheduler));
            test.scheduler.tick();
            listening.request(1);
            String first = test.received(listening).get(0);
            test.scheduler.tick();
            assertThat(listening.backlog()).isEqualTo(3);
            test.rows.put("later", "u", 4); // which no period has marked

            List<String> received = test.received(listening.all());
            assertThat(received).containsExactlyInAnyOrder("+later=u@4", "a: u@1 -> u@1", "b: u@2 -> u@2", "c: u@3 -> u@3");
            assertThat(received).as("those that the walk had yet to come to go first").endsWith(first);
            assertThat(listening.backlog()).isZero();
            test.scheduler.tick();
            assertThat(test.received(listening)).containsExactlyInAnyOrder("a: u@1 -> u@1", "b: u@2 -> u@2",
                    "c: u@3 -> u@3", "later: u@4 -> u@4");
        }));
    }

    /** Law 11: on a row that is pending anyway it merges into it, and so does a change into a row that is due. */
    @TestFactory
    Stream<DynamicTest> emitsARowThatHasChangedOnce() {
        return Stream.of(deliveries()).map(delivery -> dynamicTest(delivery == eachMinute ? "conflated" : "every", () -> {
            var test = new ResyncTest();
            test.rows.put("a", "u", 1).put("b", "u", 2).put("c", "u", 3).put("gone", "u", 4);
            Listening<String> listening = test.synced(delivery.on(test.scheduler));
            test.rows.put("a", "u", 5);
            test.scheduler.tick();
            test.rows.put("b", "u", 6).remove("gone", 7).put("new", "u", 8);
            assertThat(listening.backlog()).isEqualTo(5);

            assertThat(test.received(listening.all())).containsExactlyInAnyOrder(
                    "a: u@1 -> u@5", "b: u@2 -> u@6", "c: u@3 -> u@3", "-gone=u@4 OBSERVED 7", "+new=u@8");
        }));
    }

    /** Its change stood for the period in which it came, not for the next one. */
    @TestFactory
    Stream<DynamicTest> emitsARowThatHasChangedAgainAfterTheNextPeriod() {
        return Stream.of(deliveries()).map(delivery -> dynamicTest(delivery == eachMinute ? "conflated" : "every", () -> {
            var test = new ResyncTest();
            test.rows.put("a", "u", 1).put("b", "u", 2).put("c", "u", 3);
            Listening<String> listening = test.synced(delivery.on(test.scheduler));
            test.scheduler.tick();
            test.rows.put("c", "u", 4); // to which the walk comes last
            List<String> received = test.received(listening.request(1));
            assertThat(received.get(0).startsWith("c") ? received : test.received(listening.request(1))).containsExactly("c: u@3 -> u@4");
            test.scheduler.tick();
            assertThat(listening.backlog()).isEqualTo(3);
            assertThat(test.received(listening.all())).containsExactlyInAnyOrder("a: u@1 -> u@1", "b: u@2 -> u@2", "c: u@4 -> u@4");
            assertThat(listening.backlog()).isZero();
        }));
    }

    /** What of a list was emitted before the period passed is due as any other row; what waits is not. */
    @TestFactory
    Stream<DynamicTest> emitsWhatWasEmittedOfAListThatStillWaits() {
        return Stream.of(deliveries()).map(delivery -> dynamicTest(delivery == eachMinute ? "conflated" : "every", () -> {
            var test = new ResyncTest();
            test.rows.put("a", "u", 1).put("b", "u", 2).put("c", "u", 3);
            Listening<String> listening = test.synced(delivery.on(test.scheduler));
            test.rows.edit("a", "u", 4).edit("b", "u", 5).commit();
            String first = test.received(listening.request(1)).get(0);
            test.scheduler.tick();
            List<String> received = test.received(listening.all());
            assertThat(received).hasSize(3).contains("c: u@3 -> u@3", first.startsWith("a") ? "a: u@4 -> u@4" : "b: u@5 -> u@5");
        }));
    }

    /** A subscriber that takes longer for all rows than a period receives each of them in turn. */
    @TestFactory
    Stream<DynamicTest> starvesNoRowWhereAWalkLastsLongerThanAPeriod() {
        return Stream.of(deliveries()).map(delivery -> dynamicTest(delivery == eachMinute ? "conflated" : "every", () -> {
            var test = new ResyncTest();
            for (int i = 0; i < 100; i++) {
                test.rows.put("k" + i, "u", i + 1);
            }
            Listening<String> listening = test.synced(delivery.on(test.scheduler));
            List<String> received = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                test.scheduler.tick();
                listening.request(4);
                received.addAll(test.received(listening));
                test.rows.put("k" + i, "u", 1_000 + i);
                listening.request(1);
                test.received(listening);
            }
            assertThat(received.stream().map(change -> change.substring(0, change.indexOf(':'))).distinct()).hasSize(100);
        }));
    }

    /** It would never come to its end. */
    @Test
    void tellsNothingAgainOnceTheRowsAreOver() {
        rows.put("a", "u", 1).put("b", "u", 2);
        Listening<String> listening = Listening.to(rows.hub.changes(eachMinute)).request(3);
        received(listening);
        rows.put("a", "u", 3);
        rows.hub.complete();
        scheduler.tick();
        listening.request(1);

        assertThat(received(listening)).containsExactly("a: u@1 -> u@3");
        assertThat(listening.completed).isTrue();
    }
}
