package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Snapshot;
import io.reactiveinformer.view.ChangeHub.Feed;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Named cases of derived views; the numbers are those of {@code reference/stream-scenarios.md}. */
class DerivedViewsTest {

    private final ManualScheduler scheduler = new ManualScheduler();
    private final Rows rows = Rows.complete();
    private final Rows others = Rows.complete();

    private <K, T> View<K, T> view(Function<Runnable, Derived<K, T>> derivation) {
        return new DerivedView<>(derivation, () -> scheduler, Mono.empty(), delivery -> Flux.empty());
    }

    private View<String, String> even() {
        return view(wake -> Derived.filter(rows.hub.feed(), DerivedViewsTest::isEven, wake));
    }

    private View<String, String> joined(List<String> calls) {
        return view(wake -> Derived.join(rows.hub.feed(), others.hub.feed(), DerivedViewsTest::reference, (row, referred) -> {
            calls.add(row);
            return row + referred;
        }, wake));
    }

    private static boolean isEven(String object) {
        return version(object) % 2 == 0;
    }

    private static int version(String object) {
        return Integer.parseInt(object.substring(object.indexOf('@') + 1));
    }

    private static List<String> reference(String object) {
        return List.of("n" + version(object) / 100);
    }

    private <T> Listening<T> listen(View<String, T> view) {
        Listening<T> listening = Listening.to(view.changes(Delivery.conflated().on(scheduler)));
        scheduler.runAll();
        return listening;
    }

    private <T> List<String> received(Listening<T> listening) {
        scheduler.runAll();
        return listening.received();
    }

    /** 93. */
    @Test
    void tellsOfRowsThatCrossTheEdgeOfAFilter() {
        rows.put("out", "u", 1).put("stays", "u", 2).put("leaves", "u", 4);
        Listening<String> listening = listen(even()).all();
        assertThat(received(listening)).containsExactlyInAnyOrder("+stays=u@2 (initial)", "+leaves=u@4 (initial)", "synced 2");

        rows.put("out", "u", 6);
        assertThat(received(listening)).containsExactly("+out=u@6");
        rows.put("leaves", "u", 7);
        assertThat(received(listening)).containsExactly("-leaves=u@4 LEFT 4");
        rows.put("stays", "u", 8);
        assertThat(received(listening)).containsExactly("stays: u@2 -> u@8");
        rows.put("leaves", "u", 9);
        assertThat(received(listening)).as("outside").isEmpty();
        rows.remove("stays", 11);
        assertThat(received(listening)).containsExactly("-stays=u@8 OBSERVED 11");
        rows.put("out", "another", 13);
        assertThat(received(listening)).as("the one that matched is gone, and did not leave").containsExactly("-out=u@6 OBSERVED 6");
    }

    /** 93, under conflation of the view and of the subscriber. */
    @Test
    void conflatesWhatCrossesTheEdgeAndComesBack() {
        rows.put("a", "u", 2).put("b", "u", 4);
        Listening<String> listening = listen(even()).request(3);
        received(listening);
        rows.put("a", "u", 5).put("a", "u", 6);
        rows.put("b", "u", 7);
        scheduler.runAll();
        rows.put("b", "u", 8);
        scheduler.runAll();
        rows.put("c", "u", 10).put("c", "u", 11);
        assertThat(received(listening.all())).containsExactly("a: u@2 -> u@6", "b: u@4 -> u@8");
    }

    /** 94. */
    @Test
    void announcesNoMappedRowThatEqualsTheOneBefore() {
        View<String, String> parity = view(wake -> Derived.map(rows.hub.feed(), object -> isEven(object) ? "even" : "odd", wake));
        rows.put("a", "u", 2);
        Listening<String> listening = listen(parity).all();
        received(listening);
        rows.put("a", "u", 4);
        assertThat(received(listening)).isEmpty();
        rows.put("a", "u", 5);
        assertThat(received(listening)).containsExactly("a: even -> odd");
        rows.put("a", "another", 7);
        assertThat(received(listening)).as("another object, however equal").containsExactly("-a=odd OBSERVED 5", "+a=odd");
    }

    /**
     * What changed and changed back while a subscriber had no demand is no change to it, of whatever version it is; nor is it below that
     * view.
     */
    @Test
    void emitsNoMappedRowThatEqualsTheOneReceivedLast() {
        View<String, String> parity = view(wake -> Derived.map(rows.hub.feed(), object -> isEven(object) ? "even" : "odd", wake));
        View<String, String> even = view(wake -> Derived.filter(Feed.of(parity), "even"::equals, wake));
        rows.put("a", "u", 2).put("b", "u", 4);
        Listening<String> slow = Listening.<String>to(parity.changes(Delivery.conflated().resync(Duration.ofMinutes(1)).on(scheduler)))
                .request(3);
        Listening<String> below = listen(even).request(3);
        Listening<String> every = Listening.<String>to(parity.changes(Delivery.every(10).on(scheduler))).request(3);
        received(slow);
        received(below);
        received(every);
        rows.put("a", "u", 5);
        scheduler.runAll();
        rows.put("a", "u", 6);
        scheduler.runAll();

        assertThat(received(slow.all())).isEmpty();
        assertThat(received(below.all())).isEmpty();
        assertThat(received(every.all())).as("each of its states").containsExactly("a: even -> odd", "a: odd -> even");
        scheduler.tick();
        assertThat(received(slow)).as("law 11: a resync is no equality").containsExactlyInAnyOrder("a: even -> even", "b: even -> even");
        rows.put("a", "u", 7);
        assertThat(received(slow)).containsExactly("a: even -> odd");
    }

    /** Law 11: a view that suppresses what is equal still passes a resync. */
    @Test
    void passesAResyncThroughAMap() {
        View<String, String> same = view(wake -> Derived.map(rows.hub.feed(), object -> "same", wake));
        rows.put("a", "u", 2);
        Listening<String> listening =
                Listening.<String>to(same.changes(Delivery.conflated().resync(Duration.ofMinutes(1)).on(scheduler))).all();
        received(listening);
        scheduler.tick();
        assertThat(received(listening)).containsExactly("a: same -> same");
    }

    @Test
    void groupsRowsIntoSnapshots() {
        View<String, Snapshot<String, String>> byUid = view(wake -> Derived.groups(
                rows.hub.feed(), object -> Optional.of(object.substring(0, object.indexOf('@'))).filter(uid -> !uid.equals("none")), wake));
        rows.put("a", "u", 1).put("b", "u", 2).put("c", "none", 3);
        Disposable lease = byUid.retain();
        scheduler.runAll();
        assertThat(byUid.snapshot().size()).isEqualTo(1);
        Snapshot<String, String> group = byUid.snapshot().get("u").orElseThrow();
        assertThat(group.list()).containsExactlyInAnyOrder("u@1", "u@2");

        rows.put("a", "v", 4);
        scheduler.runAll();
        assertThat(group.size()).as("a snapshot never changes").isEqualTo(2);
        assertThat(byUid.snapshot().get("u").orElseThrow().list()).containsExactly("u@2");
        rows.remove("a", 5);
        scheduler.runAll();
        assertThat(byUid.snapshot().get("v")).isEmpty();
        lease.dispose();
    }

    /** 96, 97. */
    @Test
    void joinsRowsWithWhatTheyReferTo() {
        List<String> calls = new ArrayList<>();
        rows.put("a", "u", 101).put("b", "u", 102).put("c", "u", 201);
        Listening<String> listening = listen(joined(calls)).all();
        assertThat(received(listening)).contains("+a=u@101[] (initial)", "synced 3");
        calls.clear();

        others.put("n1", "n", 1);
        assertThat(received(listening)).containsExactlyInAnyOrder("a: u@101[] -> u@101[n@1]", "b: u@102[] -> u@102[n@1]");
        assertThat(calls).as("exactly the rows that refer to it").containsExactlyInAnyOrder("u@101", "u@102");
        rows.put("b", "u", 202);
        assertThat(received(listening)).containsExactly("b: u@102[n@1] -> u@202[]");
        rows.put("a", "u", 103);
        others.put("n1", "n", 2);
        assertThat(received(listening)).as("both at once").containsExactly("a: u@101[n@1] -> u@103[n@2]");
        others.remove("n1", 3);
        assertThat(received(listening)).containsExactly("a: u@103[n@2] -> u@103[]");
        rows.remove("a", 104);
        assertThat(received(listening)).containsExactly("-a=u@103[] OBSERVED 104");
        others.put("n3", "n", 4);
        assertThat(received(listening)).isEmpty();
    }

    /** A pod that mounts one Secret twice has it twice. */
    @Test
    void aRowThatRefersToAnotherTwiceIsJoinedWithItTwice() {
        others.put("n1", "n", 1).put("n2", "n", 2);
        rows.put("a", "u", 1);
        View<String, String> joined = view(wake -> Derived.join(rows.hub.feed(), others.hub.feed(),
                row -> row.endsWith("1") ? List.of("n1", "n2", "n1") : List.of("n1"), (row, referred) -> row + referred, wake));
        Listening<String> listening = listen(joined).all();
        assertThat(received(listening)).containsExactly("+a=u@1[n@1, n@2, n@1] (initial)", "synced 1");
        others.put("n1", "n", 3);
        assertThat(received(listening)).containsExactly("a: u@1[n@1, n@2, n@1] -> u@1[n@3, n@2, n@3]");
        rows.put("a", "u", 2);
        assertThat(received(listening)).containsExactly("a: u@1[n@3, n@2, n@3] -> u@2[n@3]");
        others.put("n1", "n", 4).remove("n2", 5);
        assertThat(received(listening)).containsExactly("a: u@2[n@3] -> u@2[n@4]");
    }

    @Test
    void aRowWithoutAResultIsLeftOut() {
        View<String, String> view = HubView.of(rows).mapNotNull(row -> {
            if (row.endsWith("13")) {
                throw new IllegalStateException("13");
            }
            return isEven(row) ? row + "!" : null;
        });
        VirtualTimeScheduler clock = VirtualTimeScheduler.getOrSet();
        try {
            rows.put("a", "u", 2).put("b", "u", 1);
            Listening<String> listening = Listening.to(view.changes()).all();
            assertThat(listening.received()).containsExactly("+a=u@2! (initial)", "synced 1");
            rows.put("b", "u", 4);
            rows.put("a", "u", 13);
            rows.put("a", "u", 15);
            rows.put("a", "u", 16);
            rows.put("a", "v", 17);
            rows.remove("b", 18);
            clock.advanceTimeBy(Duration.ZERO);
            assertThat(listening.received()).containsExactly("+b=u@4!", "-a=u@2! LEFT 2", "+a=u@16!", "-a=u@16! OBSERVED 16",
                    "-b=u@4! OBSERVED 18");
        } finally {
            VirtualTimeScheduler.reset();
        }
    }

    @Test
    void losesNothingWhenOneSideIsWorkedOnBeforeTheOtherIsThere() {
        Feed<String, String> late = new Feed<>(follower -> {
            scheduler.runAll();
            return others.hub.feed().attach(follower);
        });
        rows.put("a", "u", 1);
        View<String, String> joined = view(wake -> Derived.join(
                rows.hub.feed(), late, DerivedViewsTest::reference, (row, referred) -> row + referred, wake));
        assertThat(received(listen(joined).all())).containsExactly("+a=u@1[] (initial)", "synced 1");
    }

    @Test
    void isCompleteWhenBothSidesAre() {
        Rows incomplete = Rows.incomplete();
        View<String, String> joined = view(wake -> Derived.join(
                rows.hub.feed(), incomplete.hub.feed(), DerivedViewsTest::reference, (row, referred) -> row + referred, wake));
        Listening<String> listening = listen(joined).all();
        rows.put("a", "u", 1);
        assertThat(received(listening)).isEmpty();
        incomplete.commit();
        assertThat(received(listening)).containsExactly("+a=u@1[] (initial)", "synced 1");
    }

    /** 98. */
    @Test
    void holdsWhatItIsDerivedFromOnlyWhileItIsUsed() {
        rows.put("a", "u", 2);
        View<String, String> even = even();
        View<String, String> chained = view(wake -> Derived.map(Feed.of(even), object -> "mapped", wake));
        assertThat(rows.hub.followers()).isZero();
        assertThat(chained.snapshot().complete()).isFalse();

        Listening<String> one = listen(chained);
        Disposable lease = chained.retain();
        Listening<String> other = listen(chained);
        assertThat(rows.hub.followers()).as("shared").isEqualTo(1);
        assertThat(chained.snapshot().list()).containsExactly("mapped");
        one.subscription.cancel();
        other.subscription.cancel();
        assertThat(rows.hub.followers()).isEqualTo(1);
        lease.dispose();
        lease.dispose();
        assertThat(rows.hub.followers()).isZero();
        assertThat(chained.snapshot().size()).isZero();
        assertThat(received(listen(chained).all())).containsExactly("+a=mapped (initial)", "synced 1");
    }

    /** Law 16. */
    @Test
    void keepsTheLastGoodRowWhereAFunctionThrows() {
        View<String, Integer> tens = view(wake -> Derived.map(rows.hub.feed(), object -> 10 / (version(object) - 5), wake));
        rows.put("a", "u", 6).put("b", "u", 7);
        Listening<Integer> listening = listen(tens).all();
        received(listening);
        rows.put("a", "u", 5).put("b", "u", 10);
        assertThat(received(listening)).containsExactly("b: 5 -> 2");
        assertThat(tens.snapshot().get("a")).contains(10);
        rows.put("a", "u", 15);
        assertThat(received(listening)).containsExactly("a: 10 -> 1");
        rows.put("a", "another", 5);
        assertThat(received(listening)).as("the last good one is of an object that is gone").containsExactly("-a=1 OBSERVED 15");
    }

    /** Law 16: as long as it is not known what a row refers to, no row is made of what it referred to before. */
    @Test
    void keepsTheLastGoodRowWhereReferencesAreUnknown() {
        View<String, String> joined = view(wake -> Derived.join(rows.hub.feed(), others.hub.feed(), row -> {
            if (row.endsWith("@13")) {
                throw new IllegalStateException("13");
            }
            return List.of("n");
        }, (row, referred) -> row + referred, wake));
        others.put("n", "u", 1);
        rows.put("a", "u", 1);
        Listening<String> listening = listen(joined).all();
        received(listening);
        rows.put("a", "u", 13);
        others.put("n", "u", 2);
        assertThat(received(listening)).isEmpty();
        others.put("n", "u", 3);
        assertThat(received(listening)).isEmpty();
        rows.put("a", "u", 14);
        assertThat(received(listening)).containsExactly("a: u@1[u@1] -> u@14[u@3]");
    }

    /** Law 14. */
    @Test
    void showsAtOnceWhatOneListChanges() {
        rows.put("a", "u", 2).put("b", "u", 4);
        View<String, String> even = even();
        Disposable lease = even.retain();
        scheduler.runAll();
        Snapshot<String, String> before = even.snapshot();
        rows.edit("a", "u", 6).edit("b", "u", 8).edit("c", "u", 10).commit();
        assertThat(even.snapshot()).isSameAs(before);
        scheduler.runNext();
        assertThat(even.snapshot().list()).containsExactlyInAnyOrder("u@6", "u@8", "u@10");
        assertThat(even.snapshot().revision()).isEqualTo(before.revision() + 1);
        lease.dispose();
    }

    @Test
    void endsAsWhatItIsDerivedFrom() {
        rows.put("a", "u", 2);
        Listening<String> listening = listen(even()).all();
        rows.put("a", "u", 4);
        rows.hub.complete();
        assertThat(received(listening)).containsExactly("+a=u@2 (initial)", "synced 1", "a: u@2 -> u@4");
        assertThat(listening.completed).isTrue();

        var reason = new IllegalStateException("given up");
        View<String, String> joined = joined(new ArrayList<>());
        Listening<String> failing = listen(joined);
        others.hub.fail(reason);
        scheduler.runAll();
        assertThat(failing.failure).isSameAs(reason);
    }

    @Test
    void derivesOnItsOwnFromAnyView() {
        rows.put("a", "u", 2).put("b", "u", 3);
        View<String, String> foreign = new View<>() {
            @Override
            public Snapshot<String, String> snapshot() {
                return rows.snapshot();
            }

            @Override
            public Flux<Change<String, String>> changes(Delivery delivery) {
                return rows.hub.changes(delivery);
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
        View<String, String> derived = foreign.filter(DerivedViewsTest::isEven)
                .map(object -> object + "!")
                .join(foreign, object -> List.of("b"), (object, referred) -> object + referred);
        StepVerifier.create(derived.changes().map(change -> change.match(
                        Change.Added::object, updated -> "updated", deleted -> "deleted", synced -> "synced " + synced.count())))
                .expectNext("u@2![u@3]", "synced 1")
                .then(rows.hub::complete)
                .verifyComplete();
        StepVerifier.create(derived.synced()).verifyComplete();
        assertThat(rows.table.find("a")).isEqualTo(new Versioned<>("u", "2", "u@2"));
        rows.table.remove("a", DeletionCause.OBSERVED, null);
    }
}
