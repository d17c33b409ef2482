package io.reactiveinformer.view;

import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static org.assertj.core.api.Assertions.assertThat;

/** What is known of subscribers: every change that was filed for one was emitted, waits, or is conflated into another. */
class SubscriberStatusTest {

    private final ManualScheduler delivering = new ManualScheduler();
    private final Rows rows = Rows.complete();

    private Delivery delivery(String name) {
        return Delivery.conflated().on(delivering).named(name);
    }

    private Listening<String> subscriber(String name) {
        return Listening.to(rows.hub.changes(delivery(name)));
    }

    private void put100VersionsOf10Rows() {
        for (int version = 1; version <= 100; version++) {
            rows.put("k" + version % 10, "u", version);
        }
        delivering.runAll();
    }

    @Test
    void whoAsksForNothingHasABacklogOfOneForEachRow() {
        subscriber("idle");
        delivering.runAll();
        put100VersionsOf10Rows();
        assertThat(rows.hub.subscribers()).containsExactly(new SubscriberStatus("idle", 11, 0, 90, 0)); // 11: Synced too
    }

    @Test
    void whoKeepsUpHasNone() {
        subscriber("quick").all();
        delivering.runAll();
        for (int version = 1; version <= 100; version++) {
            rows.put("k" + version % 10, "u", version);
            delivering.runAll();
        }
        assertThat(rows.hub.subscribers()).containsExactly(new SubscriberStatus("quick", 0, 101, 0, 0));
    }

    @Test
    void whatChangedBackIsConflatedTwice() {
        subscriber("slow").request(1);
        delivering.runAll();
        rows.put("a", "u", 1).remove("a", 2);
        assertThat(rows.hub.subscribers()).containsExactly(new SubscriberStatus("slow", 0, 1, 2, 0));
    }

    @Test
    void whatTheFirstWalkTakesInIsConflated() {
        rows.put("a", "u", 1);
        subscriber("late");
        rows.put("a", "u", 2).put("a", "u", 3);
        assertThat(rows.hub.subscribers()).containsExactly(new SubscriberStatus("late", 2, 0, 2, 0));
    }

    @Test
    void whatTheRelayConflatesCounts() {
        var relaying = new ManualScheduler();
        var relayed = Rows.relayed(true, relaying);
        Listening.to(relayed.hub.changes(delivery("many"))).all();
        delivering.runAll();
        relayed.put("a", "u", 1).put("a", "u", 2).put("b", "u", 3).put("b", "u", 4).remove("b", 5);
        relaying.runAll();
        delivering.runAll();
        assertThat(relayed.hub.subscribers()).containsExactly(new SubscriberStatus("many", 0, 2, 4, 0)); // Synced and a; a's first, all of b
    }

    @Test
    void everyStateIsEmittedWhereThatWasAskedFor() {
        rows.hub.changes(Delivery.every(1_000).on(delivering).named("each")).subscribe(change -> {});
        put100VersionsOf10Rows();
        assertThat(rows.hub.subscribers()).containsExactly(new SubscriberStatus("each", 0, 101, 0, 0));
    }

    @Test
    void ofADerivedViewToo() {
        View<String, String> filtered = HubView.of(rows).filter(row -> true);
        assertThat(filtered.subscribers()).isEmpty();
        Disposable subscriber = filtered.changes(Delivery.conflated().named("filtered")).subscribe();
        assertThat(filtered.subscribers()).extracting(SubscriberStatus::name).containsExactly("filtered");
        assertThat(rows.hub.subscribers()).as("a derived view is no subscriber to changes").isEmpty();
        subscriber.dispose();
        assertThat(filtered.subscribers()).isEmpty();
    }

    @Test
    void whoWaitsForRowsIsNone() {
        StepVerifier.create(rows.hub.snapshots(Delivery.conflated().on(Schedulers.immediate())))
                .expectNextCount(1)
                .then(() -> assertThat(rows.hub.subscribers()).isEmpty())
                .thenCancel()
                .verify();
    }

    @Test
    void whoLeavesIsForgotten() {
        Listening<String> leaving = subscriber("gone");
        subscriber("there");
        leaving.subscription.cancel();
        assertThat(rows.hub.subscribers()).extracting(SubscriberStatus::name).containsExactly("there");
    }
}
