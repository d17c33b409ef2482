package io.reactiveinformer.delta;

import io.reactiveinformer.client.Known;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.test.StepVerifier;
import reactor.test.publisher.TestPublisher;

import static io.reactiveinformer.delta.DeltaSteps.bookmark;
import static io.reactiveinformer.delta.DeltaSteps.broken;
import static io.reactiveinformer.delta.DeltaSteps.deleted;
import static io.reactiveinformer.delta.DeltaSteps.ended;
import static io.reactiveinformer.delta.DeltaSteps.key;
import static io.reactiveinformer.delta.DeltaSteps.listed;
import static io.reactiveinformer.delta.DeltaSteps.started;
import static io.reactiveinformer.delta.DeltaSteps.text;
import static io.reactiveinformer.delta.DeltaSteps.unreadable;
import static io.reactiveinformer.delta.DeltaSteps.upserted;
import static org.assertj.core.api.Assertions.assertThat;

/** A {@link DeltaStage} whose subscriber has unbounded demand, so that nothing waits in the stage. */
class DeltaStageTest {

    private static final Namespaces ALL = Namespaces.all();

    private final MapStore known = new MapStore();
    private final TestPublisher<ReflectorEvent<String>> events = TestPublisher.create();
    private final List<String> received = new ArrayList<>();

    @Test
    void aListingIsInvisibleUntilItIsComplete() {
        start();
        events.next(started(), listed("a", 3), listed("b", 4));
        assertThat(received).isEmpty();
        events.next(ended(5));
        assertThat(received).containsExactly("at 5: +a@3 +b@4");
        assertThat(known.reached(ALL)).isEqualTo("5");
    }

    /** Stream scenario 4. */
    @Test
    void aListingThatWasStartedAgainNeverHappened() {
        start();
        events.next(started(), listed("a", 3), started(), listed("b", 4), ended(6));
        assertThat(received).containsExactly("at 6: +b@4");
    }

    /** Not only once another one starts: it would be kept throughout the pause, and may have failed because the heap is full. */
    @Test
    void aListingThatFailedIsLetGoOfAtOnce() {
        start();
        events.next(started(), listed("a", 3), new ReflectorEvent.Disrupted<>(ALL, broken(), 1, Duration.ofSeconds(1), true));
        events.next(listed("b", 4), ended(6));
        assertThat(received).containsExactly("at 6: +b@4");
    }

    @Test
    void aRelistTellsOnlyWhatDiffers() {
        start();
        events.next(started(), listed("same", 1), listed("changed", 2), listed("gone", 3), ended(5));
        received.clear();
        events.next(started(), listed("same", 1), listed("changed", 7), listed("new", 8), ended(9));
        assertThat(received).containsExactly("at 9: -gone@3 INFERRED +changed@7 +new@8");
        received.clear();
        events.next(started(), listed("same", 1), listed("changed", 7), listed("new", 8), ended(9));
        assertThat(received).containsExactly("at 9:");
    }

    @Test
    void theSameVersionOfAnotherUidDiffers() {
        start();
        events.next(started(), listed("a", 1), ended(5));
        events.next(started(), new ReflectorEvent.Received<>(ALL,
                new ObjectEvent.Applied<>(key("a"), new Versioned<>("another", "1", "a"))), ended(5));
        assertThat(known.find(key("a")).uid()).isEqualTo("another");
    }

    /** As a custom resource is, once its definition has other defaults. */
    @Test
    void theSameVersionWithOtherContentDiffers() {
        start();
        events.next(started(), listed("a", 1), listed("b", 1), ended(5));
        events.next(started(), new ReflectorEvent.Received<>(ALL,
                new ObjectEvent.Applied<>(key("a"), new Versioned<>("uid-a", "1", "other"))),
                listed("b", 1), ended(6));
        assertThat(received).containsExactly("at 5: +a@1 +b@1", "at 6: +a@1");
        assertThat(known.find(key("a")).object()).isEqualTo("other");
    }

    @Test
    void anUnreadableObjectCountsAsPresent() {
        start();
        events.next(started(), listed("a", 1), ended(2));
        events.next(started(), unreadable("a", 3, false), unreadable("b", 3, false), ended(4));
        assertThat(received).containsExactly("at 2: +a@1", "at 4: ?a@3 ?b@3");
        assertThat(known.objects).containsOnlyKeys(key("a"));
    }

    @Test
    void whatIsChangedAndDeletedWhileListingIsListedSo() {
        start();
        events.next(started(), listed("a", 1), listed("b", 2), listed("c", 3), upserted("a", 8), deleted("b", 9),
                unreadable("c", 10, true), bookmark(11), ended(12));
        assertThat(received).containsExactly("at 12: +a@8");
    }

    @Test
    void nothingTravelsBackInTime() {
        start();
        events.next(started(), listed("a", 3), ended(5));
        events.next(upserted("a", 4), upserted("late", 5), deleted("a", 5), bookmark(5), unreadable("a", 5, false));
        events.next(upserted("b", 8), upserted("b", 8), upserted("b", 7), deleted("b", 8));
        assertThat(received).containsExactly("at 5: +a@3", "+b@8");
    }

    /** Compared with the object alone, where the part's position is behind (its first list is not complete, say). */
    @Test
    void anObjectNeverTravelsBackInTimeEither() {
        known.objects.put(key("a"), new Versioned<>("uid-a", "10", "a"));
        start();
        events.next(deleted("a", 7), unreadable("a", 8, false), upserted("a", 9), upserted("a", 10), upserted("a", 11));
        assertThat(received).containsExactly("+a@11");
    }

    @Test
    void versionsThatAreNotNumbersAreOldOnlyWhereEqual() {
        known.objects.put(key("a"), new Versioned<>("uid-a", "x7", "a"));
        start();
        events.next(new ReflectorEvent.Received<>(ALL, new ObjectEvent.Applied<>(key("a"), new Versioned<>("uid-a", "x7", "a"))),
                new ReflectorEvent.Received<>(ALL, new ObjectEvent.Applied<>(key("a"), new Versioned<>("uid-a", "x6", "a"))));
        assertThat(received).containsExactly("+a@x6");
    }

    @Test
    void aListingSaysNothingOfWhatHappenedAfterIt() {
        start();
        events.next(started(), ended(5), upserted("new", 9), upserted("newer", 10));
        received.clear();
        events.next(started(), listed("newer", 6), ended(7));
        assertThat(received).containsExactly("at 7:");
        assertThat(known.objects.keySet()).containsExactly(key("new"), key("newer"));
    }

    /** A server that was restored and has since passed our version lists objects in states older than ours: they are what there is. */
    @Test
    void aLaterListIsAppliedWhateverTheVersionsOfItsObjects() {
        start();
        events.next(started(), listed("a", 9), ended(10));
        events.next(started(), listed("a", 4), ended(11));
        assertThat(received).containsExactly("at 10: +a@9", "at 11: +a@4");
    }

    @Test
    void inANewEpochEqualVersionsProveNothing() {
        start();
        events.next(started(), listed("a", 9), listed("b", 10), ended(10));
        events.next(started(), listed("a", 9), new ReflectorEvent.ListingEnded<>(ALL, "9", true));
        assertThat(received).containsExactly("at 10: +a@9 +b@10", "epoch at 9: -b@10 INFERRED +a@9");
    }

    /** Its state could not be read in the new epoch's list, so the old one stayed. */
    @Test
    void whatIsCachedOfAnEarlierEpochDelaysNothing() {
        start();
        events.next(started(), listed("a", 9), ended(10));
        events.next(started(), unreadable("a", 4, false), new ReflectorEvent.ListingEnded<>(ALL, "5", true), upserted("a", 6));
        assertThat(received).containsExactly("at 10: +a@9", "epoch at 5: ?a@4", "+a@6");
    }

    @Test
    void theNextListOfTheNewEpochMakesUpForWhatCouldNotBeRead() {
        start();
        events.next(started(), listed("a", 9), listed("b", 8), ended(10));
        events.next(started(), unreadable("a", 4, false), unreadable("b", 3, false), new ReflectorEvent.ListingEnded<>(ALL, "5", true));
        events.next(started(), listed("a", 4), ended(5));
        assertThat(received).containsExactly("at 10: +a@9 +b@8", "epoch at 5: ?a@4 ?b@3", "at 5: -b@null INFERRED +a@4");
    }

    @Test
    void theEndOfAnObjectThatWasNeverCachedIsEmittedAllTheSame() {
        start();
        events.next(started(), ended(5), deleted("a", 6), unreadable("b", 7, true));
        assertThat(received).containsExactly("at 5:", "-a@6 OBSERVED", "?b@7 gone");
    }

    @Test
    void anEndThatCannotBeReadEndsWhatIsCached() {
        start();
        events.next(started(), listed("a", 4), ended(5), unreadable("a", 6, true));
        assertThat(received).containsExactly("at 5: +a@4", "-a@6 OBSERVED");
    }

    /** The server may say which object it was; else it is the cached one. */
    @Test
    void anEndThatCannotBeReadIsOfTheUidThatItNames() {
        known.objects.put(key("a"), new Versioned<>("uid-a", "4", "a"));
        for (String uid : new String[] {"another", null}) {
            var end = new ReflectorEvent.Received<String>(ALL,
                    new ObjectEvent.Unreadable<String>(key("a"), uid, "6", true, new UnreadableObjectException("a", null)));
            var deleted = (Delta.Deleted<String>) new Comparison<>(known).live(end, "6");
            assertThat(deleted.last()).isEqualTo(new Versioned<>(uid == null ? "uid-a" : uid, "6", "a"));
        }
    }

    @Test
    void aListingThatNeverStartedFailsTheStream() {
        StepVerifier.create(events.flux().transform(DeltaStage.over(known)))
                .then(() -> events.next(ended(5)))
                .verifyErrorMessage("a listing of " + ALL + " ended that had not started");
        events.assertCancelled();
    }

    @Test
    void howThingsStandIsNoDelta() {
        start();
        events.next(started(), ended(5), new ReflectorEvent.Watching<>(ALL, "5"), new ReflectorEvent.Disrupted<>(ALL, broken(), 1,
                Duration.ofSeconds(1), false));
        assertThat(received).containsExactly("at 5:");
    }

    @Test
    void scopesAreListedAndReplacedEachByItself() {
        Namespaces one = Namespaces.of("one");
        Namespaces two = Namespaces.of("two");
        start();
        events.next(new ReflectorEvent.ListingStarted<>(one, "first"), new ReflectorEvent.ListingStarted<>(two, "first"),
                listed(one, "one/a", 1), listed(two, "two/a", 2), new ReflectorEvent.ListingEnded<>(two, "7", false),
                new ReflectorEvent.ListingEnded<>(one, "5", false),
                new ReflectorEvent.Received<>(one, new ObjectEvent.Applied<>(ObjectKey.parse("one/b"), new Versioned<>("uid", "6", "b"))));
        assertThat(received).containsExactly("at 7: +two/a@2", "at 5: +one/a@1", "+one/b@6");
        events.next(new ReflectorEvent.ListingStarted<>(one, "again"), new ReflectorEvent.ListingEnded<>(one, "9", false));
        assertThat(known.objects).containsOnlyKeys(ObjectKey.parse("two/a"));
    }

    @Test
    void whatCannotBeLookedUpEndsTheStreamWithItsFailure() {
        Known<String> broken = new Known<>() {
            @Override
            public Versioned<String> find(ObjectKey key) {
                throw new IllegalStateException("planned");
            }

            @Override
            public void forEachKey(Namespaces part, Consumer<ObjectKey> action) {}

            @Override
            public String received(Namespaces part) {
                return null;
            }

            @Override
            public String reached(Namespaces part) {
                return null;
            }
        };
        StepVerifier.create(events.flux().transform(DeltaStage.over(broken)))
                .then(() -> events.next(upserted("a", 1), upserted("b", 2)))
                .verifyErrorMessage("planned");
        events.assertCancelled();
    }

    @Test
    void eachSubscriptionHasAStateOfItsOwn() {
        Flux<Delta<String>> deltas = Flux.just(started(), listed("a", 1), ended(2)).transform(DeltaStage.over(Known.none()));
        StepVerifier.create(deltas).expectNextCount(1).verifyComplete();
        StepVerifier.create(deltas).expectNextCount(1).verifyComplete();
    }

    private void start() {
        events.flux().transform(DeltaStage.over(known)).subscribe(this::take, failure -> received.add("failed: " + failure));
    }

    private void take(Delta<String> delta) {
        known.apply(delta);
        received.add(text(delta));
    }
}
