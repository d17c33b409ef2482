package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.time.Duration;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Rows that are added and deleted before a subscriber receives them. A subscriber that reads the cache on a change may have seen such a
 * row, and has to be notified of its end: a controller once stayed at rest although the object that it had made was deleted.
 */
class BriefRowsTest {

    private static final Delivery BRIEF = Delivery.conflated().brief();

    private final ManualScheduler delivering = new ManualScheduler();
    private final ManualScheduler working = new ManualScheduler();
    private final Rows rows = Rows.complete();

    private Listening<String> subscriber(Delivery delivery) {
        Listening<String> listening = Listening.to(rows.hub.changes(delivery.on(delivering))).all();
        delivering.runAll();
        assertThat(listening.received()).last().asString().startsWith("synced");
        return listening;
    }

    @Test
    void areConflatedToNothingUnlessTheyAreWanted() {
        Listening<String> listening = subscriber(Delivery.conflated());
        rows.put("a", "u", 1).remove("a", 2);
        delivering.runAll();
        assertThat(listening.received()).isEmpty();
    }

    @Test
    void areAddedAndDeletedForASubscriberThatWantsThem() {
        Listening<String> listening = subscriber(BRIEF);
        rows.put("a", "u", 1).put("a", "u", 2).remove("a", 3);
        delivering.runAll();
        assertThat(listening.received()).containsExactly("+a=u@2", "-a=u@2 OBSERVED 3");
        assertThat(listening.backlog()).isZero();
    }

    @Test
    void areEndedBeforeARowOfTheSameNameIsAdded() {
        Listening<String> listening = subscriber(BRIEF);
        rows.put("a", "u", 1).remove("a", 2).put("a", "v", 3);
        delivering.runAll();
        assertThat(listening.received()).containsExactly("+a=u@1", "-a=u@1 OBSERVED 2", "+a=v@3");
    }

    @Test
    void areEmittedOnceIfTheSameRowIsThereAgain() {
        Listening<String> listening = subscriber(BRIEF);
        rows.put("a", "u", 1).remove("a", 2).put("a", "u", 1);
        delivering.runAll();
        assertThat(listening.received()).containsExactly("+a=u@1");
        rows.put("a", "u", 3);
        delivering.runAll();
        assertThat(listening.received()).containsExactly("a: u@1 -> u@3");
    }

    @Test
    void takeOneEntryOfAnyNumberOfThemWithOneName() {
        Listening<String> listening = subscriber(BRIEF);
        rows.put("b", "w", 1);
        for (int i = 0; i < 100; i++) {
            rows.put("a", "u" + i, i).remove("a", i);
        }
        assertThat(listening.backlog()).isEqualTo(2);
        delivering.runAll();
        assertThat(listening.received()).containsExactly("+b=w@1", "+a=u99@99", "-a=u99@99 OBSERVED 99");
    }

    @Test
    void areDeliveredOneByOneOnDemand() {
        Listening<String> listening = Listening.to(rows.hub.changes(BRIEF.on(delivering))).request(1);
        delivering.runAll();
        rows.put("a", "u", 1).remove("a", 2).put("b", "w", 3);
        listening.request(1);
        delivering.runAll();
        assertThat(listening.received()).containsExactly("synced 0", "+a=u@1");
        rows.put("a", "v", 4);
        listening.request(9);
        delivering.runAll();
        assertThat(listening.received()).containsExactly("+b=w@3", "-a=u@1 OBSERVED 2", "+a=v@4");
    }

    @Test
    void endARowThatTheSubscriberHasAlsoAfterItReturned() {
        rows.put("a", "u", 1);
        Listening<String> listening = subscriber(BRIEF);
        rows.remove("a", 2).put("a", "v", 3).remove("a", 4);
        delivering.runAll();
        assertThat(listening.received()).containsExactly("-a=u@1 OBSERVED 2", "+a=v@3", "-a=v@3 OBSERVED 4");
    }

    @Test
    void areNotedIfAnotherObjectReplacesThemAtOnce() {
        Listening<String> listening = subscriber(BRIEF);
        rows.put("a", "u", 1).put("a", "v", 2);
        delivering.runAll();
        assertThat(listening.received()).containsExactly("+a=u@1", "-a=u@1 OBSERVED 1", "+a=v@2");
    }

    @Test
    void keepNoOldEndOfARowThatReturned() {
        Listening<String> listening = subscriber(BRIEF);
        rows.put("a", "u", 1).remove("a", 2).put("a", "u", 3);
        delivering.runAll();
        assertThat(listening.received()).containsExactly("+a=u@1", "a: u@1 -> u@3");
        Listening<String> slow = Listening.to(rows.hub.changes(BRIEF.on(delivering))).request(2);
        delivering.runAll();
        rows.put("b", "u", 4).remove("b", 5).put("b", "u", 6);
        slow.request(1);
        delivering.runAll();
        rows.remove("b", 9);
        slow.all();
        delivering.runAll();
        assertThat(slow.received()).containsExactly("+a=u@3 (initial)", "synced 1", "+b=u@4", "-b=u@4 OBSERVED 9");
    }

    @Test
    void passAViewOfTheUser() {
        View<String, String> wrapped = new View<>() {
            @Override
            public Snapshot<String, String> snapshot() {
                return rows.snapshot();
            }

            @Override
            public Flux<Change<String, String>> changes(Delivery delivery) {
                return rows.hub.changes(delivery.on(delivering));
            }

            @Override
            public Mono<Void> synced() {
                return Mono.empty();
            }

            @Override
            public Flux<InformerStatus> status() {
                return Flux.never();
            }
        };
        Listening<String> listening = Listening.to(
                FollowingSubscription.flux(Feed.of(wrapped), BRIEF.on(delivering)));
        listening.all();
        delivering.runAll();
        listening.received();
        rows.put("a", "u", 1).remove("a", 2);
        delivering.runAll();
        assertThat(listening.received()).containsExactly("+a=u@1", "-a=u@1 OBSERVED 2");
    }

    @Test
    void passARelay() {
        Rows relayed = Rows.relayed(true, working);
        Listening<String> listening = Listening.to(relayed.hub.changes(BRIEF.on(delivering))).all();
        delivering.runAll();
        listening.received();
        relayed.put("a", "u", 1).put("b", "w", 2).remove("a", 3).put("b", "w", 4);
        working.runAll();
        delivering.runAll();
        assertThat(listening.received()).containsExactly("+a=u@1", "+b=w@4", "-a=u@1 OBSERVED 3");
    }

    private Listening<String> derived(Duration period) {
        Function<Runnable, Derived<String, String>> derivation =
                wake -> Derived.filter(rows.hub.feed(), row -> !row.startsWith("not"), wake);
        View<String, String> view = new DerivedView<>(
                derivation, () -> working, period, Mono.empty(), delivery -> Flux.empty(), () -> delivering);
        Listening<String> listening = Listening.to(view.changes(BRIEF.on(delivering))).all();
        working.runAll();
        delivering.runAll();
        assertThat(listening.received()).containsExactly("synced 0");
        return listening;
    }

    @Test
    void passADerivedView() {
        Listening<String> listening = derived(Duration.ZERO);
        rows.put("a", "u", 1).put("n", "not", 2).remove("a", 3).remove("n", 4).put("b", "w", 5);
        working.runAll();
        delivering.runAll();
        assertThat(listening.received()).containsExactly("+a=u@1", "+b=w@5", "-a=u@1 OBSERVED 3");
    }

    @Test
    void passADerivedViewWhoseSourceEnds() {
        Listening<String> listening = derived(Duration.ZERO);
        rows.put("a", "u", 1).remove("a", 2);
        rows.hub.complete();
        working.runAll();
        delivering.runAll();
        working.runAll();
        delivering.runAll();
        assertThat(listening.received()).containsExactly("+a=u@1", "-a=u@1 OBSERVED 2");
        assertThat(listening.completed).isTrue();
        assertThat(rows.hub.followers()).isZero();
    }

    @Test
    void areNotInASampledView() {
        Listening<String> listening = derived(Duration.ofNanos(1));
        rows.put("a", "u", 1).remove("a", 2);
        working.runAll();
        delivering.runAll();
        assertThat(listening.received()).isEmpty();
    }

    @Test
    void thatAreTooManyForAWorkerThatStandsStillAreLeftOut() {
        Listening<String> listening = derived(Duration.ZERO);
        for (int i = 0; i < 5_000; i++) {
            rows.put("a", "u" + i, i).remove("a", i);
        }
        rows.table.put("b", Rows.state("w", 1), DeletionCause.OBSERVED);
        rows.commit();
        working.runAll();
        delivering.runAll();
        assertThat(listening.received()).contains("+b=w@1").hasSizeLessThan(10);
    }
}
