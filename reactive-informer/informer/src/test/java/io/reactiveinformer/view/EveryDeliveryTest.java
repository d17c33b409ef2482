package io.reactiveinformer.view;

import io.reactiveinformer.delta.Delta;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;

import static org.assertj.core.api.Assertions.assertThat;

/** Stream scenario 60: a subscriber that wants every state. */
class EveryDeliveryTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Rows rows = Rows.complete();

    private List<String> received(Listening<String> listening) {
        scheduler.runAll();
        return listening.received();
    }

    private Listening<String> synced() {
        Listening<String> listening = Listening.to(rows.hub.changes(Delivery.conflated().on(scheduler))).request(1_000_000);
        assertThat(received(listening)).last().asString().startsWith("synced");
        return listening;
    }

    /** 60. */
    @Test
    void keepsEveryStateWhenAsked() {
        rows.put("a", "u", 1);
        Listening<String> listening = Listening.to(rows.hub.changes(Delivery.every(4).on(scheduler)));
        rows.put("a", "u", 2).put("a", "u", 3).remove("a", 4).put("a", "v", 5);
        rows.edit("a", "w", 6).edit("b", "u", 7).edit("c", "u", 8).commit(); // one list: does not count
        assertThat(listening.backlog()).isEqualTo(10);
        assertThat(received(listening.all())).containsExactly(
                "+a=u@1 (initial)", "synced 1", "a: u@1 -> u@2", "a: u@2 -> u@3", "-a=u@3 OBSERVED 4", "+a=v@5",
                "-a=v@5 OBSERVED 5", "+a=w@6", "+b=u@7", "+c=u@8");
        assertThat(listening.backlog()).isZero();
    }

    /** It has missed something: that all is over, for whatever reason, does not make that good. */
    @Test
    void itsFailureIsEmittedWhateverEndsItBeforeThat() {
        for (RuntimeException end : new RuntimeException[] {null, new IllegalStateException("planned")}) {
            var ending = Rows.complete();
            Listening<String> slow = Listening.to(ending.hub.changes(Delivery.every(2).on(scheduler))).request(9);
            scheduler.runAll();
            ending.put("a", "u", 1).put("a", "u", 2).put("a", "u", 3);
            if (end == null) {
                ending.hub.complete();
            } else {
                ending.hub.fail(end);
            }
            scheduler.runAll();
            assertThat(slow.failure).isInstanceOf(BacklogOverflowException.class);
            assertThat(slow.backlog()).isZero();
            assertThat(ending.hub.drained().toFuture()).as("nobody is waited for").isCompleted();
        }
    }

    /** 60. */
    @Test
    void failsASubscriberThatIsTooSlowForEveryStateAndNobodyElse() {
        Listening<String> healthy = synced();
        Listening<String> slow = Listening.to(rows.hub.changes(Delivery.every(2).on(scheduler))).request(2);
        rows.put("a", "u", 1).put("a", "u", 2).put("a", "u", 3);
        scheduler.runAll();
        assertThat(slow.failure).isInstanceOf(BacklogOverflowException.class).hasMessageContaining("more than 2 changes");
        assertThat(healthy.received()).containsExactly("+a=u@3");
    }

    @Test
    void letsWhatWasEmittedMakeRoomForMore() {
        Listening<String> listening = Listening.to(rows.hub.changes(Delivery.every(2).on(scheduler))).all();
        for (int i = 1; i <= 10; i++) {
            rows.put("a", "u", i);
            scheduler.runAll();
        }
        assertThat(listening.failure).isNull();
        assertThat(listening.received).hasSize(11);
    }

    @Test
    void countsNothingThatWasEmitted() {
        Listening<String> listening = Listening.to(rows.hub.changes(Delivery.every(1).on(scheduler))).request(2);
        received(listening);
        rows.put("a", "u", 1);
        assertThat(received(listening)).as("it has no more demand").containsExactly("+a=u@1");
        rows.put("a", "u", 2);
        assertThat(received(listening.all())).containsExactly("a: u@1 -> u@2");
        assertThat(listening.failure).isNull();
    }

    private static Versioned<String> object(int version) {
        return new Versioned<>("u", "" + version, "@" + version);
    }

    /** What a list of the server changes, {@code names} to {@code version}. */
    private static Delta<String> list(int version, String... names) {
        List<Delta<String>> differences = Stream.of(names)
                .<Delta<String>>map(name -> new Delta.Upserted<>(Namespaces.all(), ObjectKey.of("n", name), object(version), null))
                .toList();
        return new Delta.Replaced<>(Namespaces.all(), differences, "" + version, false);
    }

    /** Law 10: those are no states in between, however many rows they change, and however many of them wait. */
    @Test
    void countsNoListOfTheServerHoweverFewRowsItChanges() {
        Store<String> store = Store.create(Namespaces.all());
        ChangeHub<ObjectKey, String> hub = ChangeHub.of(store.snapshot());
        View<ObjectKey, String> mapped = new DerivedView<>(
                wake -> Derived.map(hub.feed(), object -> object + "!", wake), () -> scheduler, Mono.empty(), delivery -> Flux.never());
        List<Change<ObjectKey, String>> received = new ArrayList<>();
        List<Change<ObjectKey, String>> ofMapped = new ArrayList<>();
        BaseSubscriber<Change<ObjectKey, String>> plain = stalled(hub.changes(Delivery.every(1).on(scheduler)), received);
        BaseSubscriber<Change<ObjectKey, String>> derived =
                stalled(mapped.changes(Delivery.every(1).on(scheduler)), ofMapped);
        for (int version = 1; version <= 20; version++) {
            hub.publish(store.apply(version % 2 == 0 ? list(version, "a", "b") : list(version, "a")));
            scheduler.runAll();
        }
        // and this is the one that may
        hub.publish(store.apply(new Delta.Upserted<>(Namespaces.all(), ObjectKey.of("n", "a"), object(21), null)));
        scheduler.runAll();

        plain.requestUnbounded();
        derived.requestUnbounded();
        scheduler.runAll();
        assertThat(received).filteredOn(change -> change instanceof Change.Updated).hasSize(29);
        assertThat(ofMapped).hasSameSizeAs(received);
    }

    private static <T> BaseSubscriber<T> stalled(Flux<T> changes, List<T> received) {
        return changes.subscribeWith(new BaseSubscriber<>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {}

            @Override
            protected void hookOnNext(T value) {
                received.add(value);
            }

            @Override
            protected void hookOnError(Throwable failure) {
                throw new AssertionError(failure);
            }
        });
    }

    /** Who never requests anything is not kept lists for without end. */
    @Test
    void endsASubscriptionBeforeListsFillTheMemory() {
        Listening<String> listening = Listening.to(rows.hub.changes(Delivery.every(1).on(scheduler)));
        for (int list = 1; list <= 4; list++) {
            for (int i = 0; i < 20_000; i++) {
                rows.edit("k" + i, "u", list);
            }
            rows.commit();
        }
        assertThat(listening.failure).isNull();
        for (int i = 0; i < 20_000; i++) {
            rows.edit("k" + i, "u", 5);
        }
        rows.commit();
        scheduler.runAll();
        assertThat(listening.failure).isInstanceOf(BacklogOverflowException.class)
                .hasMessageContaining("several lists of the server, which changed 100000 rows");
    }

    /** What was emitted needs no memory any more, however much it was. */
    @Test
    void emittedListsMakeRoomForMore() {
        Listening<String> listening = Listening.to(rows.hub.changes(Delivery.every(1).on(scheduler))).all();
        for (int list = 1; list <= 8; list++) {
            for (int i = 0; i < 20_000; i++) {
                rows.edit("k" + i, "u", list);
            }
            rows.commit();
            scheduler.runAll();
        }
        assertThat(listening.failure).isNull();
    }

    /** They are between two looks at all rows, though they change one only. */
    @Test
    void countsNoScopeThatShrinksAndNoPartThatIsLetGo() {
        Store.Managed<String> store = Store.Managed.create(Namespaces.of(Set.of("n", "m", "o")));
        ChangeHub<ObjectKey, String> hub = ChangeHub.of(store.snapshot());
        for (String namespace : List.of("n", "m", "o")) {
            Delta<String> only = new Delta.Upserted<>(Namespaces.of(namespace), ObjectKey.of(namespace, "a"), object(1), null);
            hub.publish(store.apply(new Delta.Replaced<>(Namespaces.of(namespace), List.of(only), "1", false)));
        }
        List<Change<ObjectKey, String>> received = new ArrayList<>();
        BaseSubscriber<Change<ObjectKey, String>> stalled = stalled(hub.changes(Delivery.every(1).on(scheduler)), received);
        hub.publish(store.resize(Namespaces.of(Set.of("n", "m"))));
        hub.publish(store.resize(Namespaces.of(Set.of("n"))));
        hub.publish(store.retain(key -> false));
        stalled.requestUnbounded();
        scheduler.runAll();
        assertThat(received).filteredOn(change -> change instanceof Change.Deleted).hasSize(3);
    }

    @Test
    void countsNoObjectThatIsLetGo() {
        Store.Managed<String> store = Store.Managed.create(Namespaces.all());
        ChangeHub<ObjectKey, String> hub = ChangeHub.of(store.snapshot());
        hub.publish(store.apply(list(1, "a", "b", "c")));
        List<Change<ObjectKey, String>> received = new ArrayList<>();
        BaseSubscriber<Change<ObjectKey, String>> stalled = stalled(hub.changes(Delivery.every(1).on(scheduler)), received);
        for (String gone : List.of("a", "b", "c")) {
            hub.publish(store.retain(key -> !key.name().equals(gone)));
        }
        stalled.requestUnbounded();
        scheduler.runAll();
        assertThat(received).filteredOn(change -> change instanceof Change.Deleted).hasSize(3);
    }
}
