package io.reactiveinformer.delta;

import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Scannable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.SignalType;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static io.reactiveinformer.delta.DeltaSteps.bookmark;
import static io.reactiveinformer.delta.DeltaSteps.broken;
import static io.reactiveinformer.delta.DeltaSteps.deleted;
import static io.reactiveinformer.delta.DeltaSteps.ended;
import static io.reactiveinformer.delta.DeltaSteps.entry;
import static io.reactiveinformer.delta.DeltaSteps.key;
import static io.reactiveinformer.delta.DeltaSteps.listed;
import static io.reactiveinformer.delta.DeltaSteps.started;
import static io.reactiveinformer.delta.DeltaSteps.text;
import static io.reactiveinformer.delta.DeltaSteps.unreadable;
import static io.reactiveinformer.delta.DeltaSteps.upserted;
import static org.assertj.core.api.Assertions.assertThat;

/** Deltas that wait in a {@link DeltaStage} until the subscriber requests them. */
class DeltaBacklogTest {

    private static final Namespaces ALL = Namespaces.all();

    private final MapStore known = new MapStore();
    private final TestPublisher<ReflectorEvent<String>> events = TestPublisher.create();
    private final List<String> received = new ArrayList<>();

    /** Its state could not be read in the new epoch's list, so the old one stayed, and waits. */
    @Test
    void whatIsCachedOfAnEarlierEpochDelaysNothingThatWaits() {
        TestDemand downstream = startWithoutDemand();
        events.next(started(), listed("a", 100), listed("b", 99), ended(100));
        downstream.request(1);
        events.next(started(), unreadable("a", 9, false), listed("b", 8), new ReflectorEvent.ListingEnded<>(ALL, "10", true),
                upserted("b", 30), upserted("a", 90), upserted("b", 150), bookmark(160));
        downstream.request(Long.MAX_VALUE);
        assertThat(received.subList(2, received.size())).containsExactly("+b@150 to 30", "+a@90 to 160");
    }

    @Test
    void withoutDemandOnlyTheLastStateOfEachKeyWaits() {
        TestDemand downstream = startWithoutDemand();
        events.next(started(), ended(1));
        for (int version = 2; version < 1_000; version++) {
            events.next(upserted("k" + version % 20, 2 * version), bookmark(2 * version + 1));
        }
        assertThat(received).isEmpty();
        assertThat(waiting(downstream)).isEqualTo(1 + 20 + 1);
        downstream.request(Long.MAX_VALUE);
        assertThat(received).hasSize(21).startsWith("at 1:", "+k2@1964 to 5").endsWith("+k0@1960 to 41", "+k1@1962 to 1999");
    }

    /** Law 6 is only as good as the count: each kind counts one while it waits, and nothing when it was emitted. */
    @Test
    void whatWaitsIsCountedOnce() {
        TestDemand downstream = startWithoutDemand();
        events.next(bookmark(1));
        assertThat(waiting(downstream)).isEqualTo(1);
        events.next(started(), ended(2));
        assertThat(waiting(downstream)).isEqualTo(2);
        events.next(upserted("a", 3), unreadable("b", 4, false));
        assertThat(waiting(downstream)).isEqualTo(4);
        for (int left = 3; left >= 0; left--) {
            downstream.request(1);
            assertThat(waiting(downstream)).isLessThanOrEqualTo(left);
        }
        assertThat(received).containsExactly("at 2:", "+a@3", "?b@4");
    }

    @Test
    void aNoteThatAStateMakesUpForIsHandedBack() {
        var discarded = new ArrayList<ReflectorEvent<?>>();
        events.flux().transform(DeltaStage.over(known)).doOnDiscard(ReflectorEvent.class, discarded::add)
                .subscribe(new TestDemand(this::take));
        events.next(unreadable("a", 2, false), upserted("a", 3));
        assertThat(discarded).extracting(ReflectorEvent::resourceVersion).containsExactly("2");
    }

    /** Law 15, where there is no demand: what comes again from before must not take the place of what waits. */
    @Test
    void whatIsOldReplacesNothingThatWaits() {
        TestDemand downstream = startWithoutDemand();
        events.next(started(), ended(1), upserted("a", 2), upserted("b", 3), upserted("a", 2),
                upserted("b", 4), upserted("b", 3), deleted("b", 1));
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("at 1:", "+a@2", "+b@4");
    }

    @Test
    void inANewEpochVersionsBeginAnew() {
        TestDemand downstream = startWithoutDemand();
        events.next(started(), ended(10), started(), new ReflectorEvent.ListingEnded<>(Namespaces.all(), "3", true), upserted("a", 4));
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("epoch at 3:", "+a@4");
    }

    /**
     * Law 5: one that changes all the time would never have its turn at the end of the line. And law 12: an emitted delta says what is
     * missing still.
     */
    @Test
    void aKeyThatChangesAgainKeepsItsPlaceInLine() {
        TestDemand downstream = startWithoutDemand();
        events.next(upserted("a", 1), upserted("b", 2), upserted("c", 3), upserted("a", 4), deleted("b", 5));
        downstream.request(1);
        events.next(upserted("d", 6), upserted("a", 7));
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("+a@4 to 1", "-b@5 OBSERVED to 2", "+c@3 to 5", "+d@6", "+a@7");
        assertThat(known.reached(ALL)).isEqualTo("7");
    }

    /** It is complete up to its version, whatever has been emitted before. */
    @Test
    void aListComesBeforeWhatIsNewerThanIt() {
        TestDemand downstream = startWithoutDemand();
        events.next(started(), ended(1), upserted("a", 2), upserted("b", 4), started(), listed("a", 2), ended(3), upserted("a", 5));
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("at 3: +a@2", "+b@4", "+a@5");
    }

    /** Versions that have no order: the last one that was received is the version that all has reached. */
    @Test
    void aBookmarkThatTheLineHasPassedDoesNotGoBack() {
        TestDemand downstream = startWithoutDemand();
        events.next(new ReflectorEvent.Received<>(ALL, new ObjectEvent.Applied<>(key("a"), new Versioned<>("u", "x2", "a"))),
                new ReflectorEvent.Received<>(ALL, new ObjectEvent.Bookmark<>("x3", false)),
                new ReflectorEvent.Received<>(ALL, new ObjectEvent.Applied<>(key("a"), new Versioned<>("u", "x4", "a"))));
        events.complete();
        downstream.request(Long.MAX_VALUE);
        assertThat(known.reached(ALL)).isEqualTo("x4");
        assertThat(downstream.end).as("the bookmark does not wait for ever").isEqualTo(SignalType.ON_COMPLETE);
    }

    @Test
    void scopesTakeTurns() {
        TestDemand downstream = startWithoutDemand();
        Namespaces two = Namespaces.of("two");
        events.next(upserted("a", 1), upserted("b", 2),
                new ReflectorEvent.Received<>(two, new ObjectEvent.Applied<>(ObjectKey.parse("two/c"), entry("c", 3))),
                        new ReflectorEvent.Received<>(two, new ObjectEvent.Bookmark<>("9", false)));
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("+a@1", "+two/c@3 to 9", "+b@2");
    }

    /** It says that all before it has been emitted: nothing more would be emitted of what was restored before that counts as current. */
    @Test
    void aBookmarkWaitsForWhatTakesThePlaceOfSomethingBeforeIt() {
        TestDemand downstream = startWithoutDemand();
        events.next(upserted("a", 1), unreadable("b", 2, false), upserted("c", 3), bookmark(4), upserted("a", 5));
        downstream.request(4);
        assertThat(received).as("and then it is no news").containsExactly("+a@5 to 1", "?b@2", "+c@3 to 5");
    }

    /** Emitted before it, in the version of what comes, it would make the end of the object old news. */
    @Test
    void aBookmarkWaitsForWhatMakesUpForAnUnreadableStateToo() {
        TestDemand downstream = startWithoutDemand();
        events.next(unreadable("b", 2, false), bookmark(2), upserted("a", 3), deleted("b", 4));
        downstream.request(3);
        assertThat(received).containsExactly("-b@4 OBSERVED to 2", "+a@3 to 4");
    }

    @Test
    void aBookmarkDoesNotWaitForWhatComesAfterIt() {
        TestDemand downstream = startWithoutDemand();
        events.next(upserted("b", 6), bookmark(7), upserted("c", 8));
        downstream.request(1);
        assertThat(received).containsExactly("+b@6 to 7");
        events.next(bookmark(9));
        downstream.request(1);
        events.next(upserted("b", 10), bookmark(11), upserted("c", 12), upserted("c", 13));
        downstream.request(1);
        assertThat(received.subList(1, 3)).containsExactly("+c@8 to 9", "+b@10 to 11");
    }

    @Test
    void aRelistMakesUpForWhatWaited() {
        TestDemand downstream = startWithoutDemand();
        events.next(started(), listed("a", 1), ended(2), upserted("b", 3), deleted("a", 4), unreadable("c", 4, false),
                started(), listed("b", 3), ended(5), upserted("b", 6));
        assertThat(waiting(downstream)).isEqualTo(2);
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("at 5: +b@3", "+b@6");
    }

    @Test
    void aStateThatCannotBeReadWaitsBesideTheOneThatCould() {
        TestDemand downstream = startWithoutDemand();
        events.next(started(), ended(5), upserted("a", 6), unreadable("a", 7, false), unreadable("b", 8, false), upserted("b", 9));
        assertThat(waiting(downstream)).isEqualTo(4);
        downstream.request(1);
        assertThat(waiting(downstream)).isEqualTo(3);
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("at 5:", "+a@6 to 5", "?a@7", "+b@9");
    }

    /** Law 15: the first list compared versions of two histories. That the next one is of the new history does not change that. */
    @Test
    void aNewEpochThatWaitsIsNotForgottenByTheNextList() {
        TestDemand downstream = startWithoutDemand();
        events.next(started(), listed("a", 9), listed("b", 100), ended(100));
        downstream.request(1);
        events.next(started(), listed("a", 9), epoch(10), started(), listed("a", 9), ended(11));
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("at 100: +a@9 +b@100", "epoch at 11: -b@100 INFERRED +a@9");
    }

    /** Versions of the old history are no later than the list, whatever their numbers say. */
    @Test
    void aNewEpochMakesUpForAllThatWaited() {
        TestDemand downstream = startWithoutDemand();
        events.next(started(), ended(100));
        downstream.request(1);
        events.next(upserted("a", 900), unreadable("b", 901, false), bookmark(902), started(), epoch(10), upserted("c", 11));
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("at 100:", "epoch at 10:", "+c@11");
        assertThat(known.reached(ALL)).isEqualTo("11");
    }

    @Test
    void whatIsNewerThanAListWaitsOn() {
        TestDemand downstream = startWithoutDemand();
        events.next(unreadable("a", 8, false), bookmark(9), started(), ended(7));
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("at 7:", "?a@8 to 9");
    }

    @Test
    void aBookmarkThatIsNewerThanAListComesAfterIt() {
        TestDemand downstream = startWithoutDemand();
        events.next(bookmark(12), started(), ended(10));
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("at 10:", "to 12");
    }

    /** Law 15: what was received before the list is later than the list, and than what comes after it out of order. */
    @Test
    void anOlderListLetsNothingTravelBack() {
        TestDemand downstream = startWithoutDemand();
        events.next(upserted("a", 12), started(), listed("a", 9), ended(10), upserted("a", 11), unreadable("a", 11, false), bookmark(11));
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("at 10: +a@9", "+a@12");
    }

    @Test
    void anOldNoteOrBookmarkReplacesNothingThatWaits() {
        TestDemand downstream = startWithoutDemand();
        events.next(unreadable("a", 5, false), unreadable("a", 3, false), bookmark(9), bookmark(7), upserted("b", 8));
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("?a@5 to 9");
    }

    @Test
    void anEventWithoutAVersionMovesNothingBack() {
        TestDemand downstream = startWithoutDemand();
        events.next(upserted("a", 5), new ReflectorEvent.Received<>(ALL,
                new ObjectEvent.Applied<>(key("b"), new Versioned<>("uid-b", null, "b"))), upserted("a", 4));
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("+a@5", "+b@null to 5");
    }

    /** What was restored counts as complete only once the server goes on from there: the word must not be spent before it is true. */
    @Test
    void aBookmarkIsEmittedOnceItIsTrue() {
        Store.Managed<String> store = Store.Managed.create(Namespaces.all());
        store.restore(ALL, List.of(), "30");
        TestDemand downstream = events.flux().transform(DeltaStage.over(store)).subscribeWith(new TestDemand(store::apply));
        events.next(upserted("a", 31), bookmark(32));
        downstream.request(Long.MAX_VALUE);
        assertThat(store.reached(ALL)).isEqualTo("32");
    }

    @Test
    void aListingUnderWayHoldsUpNoOtherScope() {
        TestDemand downstream = startWithoutDemand();
        events.next(new ReflectorEvent.ListingStarted<>(Namespaces.of("one"), "test"), upserted("a", 1));
        events.complete();
        downstream.request(1);
        assertThat(received).containsExactly("+a@1");
        assertThat(downstream.end).isEqualTo(SignalType.ON_COMPLETE);
    }

    @Test
    void createdAndDeletedUnseenIsOnlyDeleted() {
        TestDemand downstream = startWithoutDemand();
        events.next(upserted("a", 1), deleted("a", 2));
        downstream.request(5);
        assertThat(received).containsExactly("-a@2 OBSERVED");
    }

    @Test
    void whatWaitsIsDeliveredBeforeTheEnd() {
        TestDemand downstream = startWithoutDemand();
        events.next(upserted("a", 1));
        events.error(broken());
        assertThat(downstream.end).isNull();
        downstream.request(1);
        assertThat(received).containsExactly("+a@1");
        assertThat(downstream.end).isEqualTo(SignalType.ON_ERROR);
    }

    @Test
    void endsAtOnceIfNothingWaits() {
        TestDemand downstream = startWithoutDemand();
        events.complete();
        assertThat(downstream.end).isEqualTo(SignalType.ON_COMPLETE);
    }

    @Test
    void cancellingEndsTheReflectorAndHandsBackWhatWaits() {
        var discarded = new ArrayList<Object>();
        Disposable subscription = events.flux().transform(DeltaStage.over(known))
                .doOnDiscard(ReflectorEvent.class, discarded::add)
                .subscribeWith(new TestDemand(delta -> {}));
        events.next(upserted("a", 1), upserted("b", 2), upserted("a", 3));
        subscription.dispose();
        events.assertCancelled();
        assertThat(discarded).hasSize(3);
    }

    @Test
    void failsAtOnceIfNothingWaits() {
        TestDemand downstream = startWithoutDemand();
        events.error(broken());
        assertThat(downstream.end).isEqualTo(SignalType.ON_ERROR);
    }

    /** Whatever is replaced, late, or no news when its turn comes. */
    @Test
    void handsBackWhatIsNeverEmitted() {
        var discarded = new ArrayList<ReflectorEvent<?>>();
        TestDemand downstream = events.flux().transform(DeltaStage.over(known))
                .doOnDiscard(ReflectorEvent.class, discarded::add)
                .subscribeWith(new TestDemand(this::take));
        events.next(upserted("a", 2), deleted("a", 3), upserted("a", 1), unreadable("a", 4, false), unreadable("a", 5, false),
                unreadable("a", 3, false), unreadable("a", 6, true), bookmark(7), new ReflectorEvent.Watching<>(ALL, "8"), bookmark(6));
        assertThat(discarded).extracting(ReflectorEvent::resourceVersion)
                .containsExactly("2", "1", "4", "3", "3", "7", "6");
        discarded.clear();
        events.next(started(), ended(9), started(), ended(10));
        assertThat(discarded).extracting(ReflectorEvent::resourceVersion).containsExactly("9");
        discarded.clear();
        downstream.request(Long.MAX_VALUE);
        assertThat(received).containsExactly("at 10:");
        assertThat(discarded).as("the last bookmark").hasSize(1);
    }

    @Test
    void nothingIsEmittedAfterACancellation() {
        TestDemand downstream = events.flux().transform(DeltaStage.over(known)).subscribeWith(new TestDemand(this::take) {
            @Override
            protected void hookOnNext(Delta<String> delta) {
                super.hookOnNext(delta);
                cancel();
            }
        });
        events.next(upserted("a", 1), upserted("b", 2));
        downstream.request(Long.MAX_VALUE);
        assertThat(received).hasSize(1);
    }

    @Test
    void oneDeltaIsOverBeforeTheNextComes() {
        var depths = new ArrayList<Integer>();
        TestDemand downstream = events.flux().transform(DeltaStage.over(known)).subscribeWith(new TestDemand(this::take) {
            private int depth;

            @Override
            protected void hookOnNext(Delta<String> delta) {
                depths.add(++depth);
                super.hookOnNext(delta);
                request(1);
                depth--;
            }
        });
        events.next(upserted("a", 1), upserted("b", 2), upserted("c", 3));
        downstream.request(1);
        assertThat(depths).containsExactly(1, 1, 1);
    }

    /** Of a source that breaks the rules. */
    @Test
    void dropsWhatComesAfterTheEnd() {
        TestPublisher<ReflectorEvent<String>> rude = TestPublisher.createNoncompliant(TestPublisher.Violation.CLEANUP_ON_TERMINATE);
        StepVerifier.create(rude.flux().transform(DeltaStage.over(known)))
                .then(() -> rude.complete().next(upserted("a", 1)).error(broken()))
                .expectComplete()
                .verifyThenAssertThat()
                .hasDropped(upserted("a", 1))
                .hasDroppedErrors(1);
    }

    private static ReflectorEvent<String> epoch(int version) {
        return new ReflectorEvent.ListingEnded<>(ALL, String.valueOf(version), true);
    }

    private TestDemand startWithoutDemand() {
        return events.flux().transform(DeltaStage.over(known)).subscribeWith(new TestDemand(this::take));
    }

    private void take(Delta<String> delta) {
        known.apply(delta);
        received.add(text(delta));
    }

    private static int waiting(TestDemand downstream) {
        return Scannable.from(downstream.upstream()).scan(Scannable.Attr.BUFFERED);
    }

    /** Requests only what the test says. */
    private static class TestDemand extends BaseSubscriber<Delta<String>> {
        private final Consumer<Delta<String>> taker;
        private SignalType end;

        TestDemand(Consumer<Delta<String>> taker) {
            this.taker = taker;
        }

        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(Delta<String> delta) {
            taker.accept(delta);
        }

        @Override
        protected void hookOnError(Throwable failure) {}

        @Override
        protected void hookFinally(SignalType type) {
            end = type;
        }

        @Override
        protected Subscription upstream() {
            return super.upstream();
        }
    }
}
