package io.reactiveinformer.delta;

import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Store;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.publisher.TestPublisher;

import static io.reactiveinformer.delta.DeltaSteps.bookmark;
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

/** A stage over a real store: which deltas the stage emits while others wait, and which rows the store has then. */
class StageOverStoreTest {

    private static final Namespaces ALL = Namespaces.all();

    private final Store.Managed<String> store = Store.Managed.create(Namespaces.all());
    private final TestPublisher<ReflectorEvent<String>> events = TestPublisher.create();
    private final List<String> received = new ArrayList<>();
    private final BaseSubscriber<Delta<String>> writer = new BaseSubscriber<>() {
        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(Delta<String> delta) {
            store.apply(delta);
            received.add(text(delta));
        }
    };

    private void start() {
        events.flux().transform(DeltaStage.over(store)).subscribe(writer);
    }

    private String rows() {
        var rows = new TreeMap<String, String>();
        store.snapshot().forEach((key, row) -> rows.put(key.toString(), row.resourceVersion()));
        return rows + " to " + store.reached(ALL);
    }

    private static ReflectorEvent<String> newEpoch(int version) {
        return new ReflectorEvent.ListingEnded<>(ALL, String.valueOf(version), true);
    }

    @Test
    void whatIsLeftOfAnEarlierEpochIsReplacedByWhateverComes() {
        start();
        events.next(started(), listed("a", 100), listed("b", 99), listed("c", 98), ended(100));
        writer.request(1);
        events.next(started(), unreadable("a", 9, false), listed("b", 8), unreadable("c", 7, false), newEpoch(10),
                upserted("b", 30), upserted("a", 80), deleted("c", 90), upserted("b", 150), bookmark(160));
        writer.requestUnbounded();
        assertThat(rows()).isEqualTo("{a=80, b=150} to 160");
        assertThat(store.stale()).isEmpty();
    }

    @Test
    void whatIsLeftOfAnEarlierEpochStaysSoInTheNextList() {
        start();
        writer.requestUnbounded();
        events.next(started(), listed("a", 100), ended(100), started(), unreadable("a", 9, false), newEpoch(10));
        events.next(started(), unreadable("a", 9, false), ended(20), upserted("b", 150), upserted("c", 151));
        events.next(started(), listed("a", 90), listed("b", 150), listed("c", 151), ended(160));
        assertThat(rows()).isEqualTo("{a=90, b=150, c=151} to 160");
        assertThat(store.stale()).isEmpty();
    }

    @Test
    void whatIsLeftOfAnEarlierEpochStaysSoUntilItCanBeRead() {
        start();
        writer.requestUnbounded();
        events.next(started(), listed("a", 100), ended(100), started(), unreadable("a", 9, false), newEpoch(10));
        events.next(unreadable("a", 11, false), unreadable("a", 12, false), upserted("a", 13));
        assertThat(rows()).isEqualTo("{a=13} to 13");
        assertThat(store.stale()).isEmpty();
    }

    /** A row that was saved ahead of the rest is of the same history. */
    @Test
    void whatWasRestoredAheadOfItsPartDoesNotTravelBack() {
        store.restore(ALL, List.of(new Delta.Upserted<>(ALL, key("a"), entry("a", 20)),
                new Delta.Upserted<>(ALL, key("b"), entry("b", 150))), "30");
        start();
        writer.requestUnbounded();
        events.next(new ReflectorEvent.Watching<>(ALL, "30"), upserted("b", 40), upserted("a", 41), upserted("b", 150), upserted("c", 151));
        assertThat(received).containsExactly("to 30", "+a@41", "+c@151");
        assertThat(rows()).isEqualTo("{a=41, b=150, c=151} to 151");
    }

    /** That more waits says nothing against it: a reader that is always behind would wait for ever. */
    @Test
    void aRestoredStateIsCurrentOnceNothingBeforeTheBookmarkWaits() {
        store.restore(ALL, List.of(new Delta.Upserted<>(ALL, key("a"), entry("a", 20))), "30");
        start();
        events.next(upserted("a", 31), bookmark(32), upserted("b", 33), upserted("c", 34));
        writer.request(2);
        assertThat(received).containsExactly("+a@31 to 32", "to 32");
        assertThat(rows()).isEqualTo("{a=31} to 32");
    }

    /** Law 15, where a server shows an object on two pages: the newer state counts, whatever the order, readable or not. */
    @Test
    void ofAnObjectThatIsListedTwiceTheNewerStateCounts() {
        start();
        writer.requestUnbounded();
        events.next(started(), listed("a", 2), listed("a", 3), listed("b", 5), listed("b", 4), unreadable("c", 7, false), listed("c", 6),
                listed("d", 8), unreadable("d", 9, false), listed("e", 11), unreadable("e", 10, false),
                unreadable("f", 12, false), listed("f", 13), ended(20));
        assertThat(received).containsExactly("at 20: +a@3 +b@5 ?c@7 ?d@9 +e@11 +f@13");
    }

    @Test
    void aStreamingListIsCorrectedByWhatFollowsInIt() {
        start();
        writer.requestUnbounded();
        events.next(started(), listed("a", 2), listed("b", 3), listed("c", 4),
                upserted("a", 5), deleted("b", 6), unreadable("c", 7, true), ended(8));
        assertThat(received).containsExactly("at 8: +a@5");
    }

    /** It is to ask for nothing older than what was received of, which is more than what is complete. */
    @Test
    void aNewSubscriptionKnowsHowFarWasReceived() {
        start();
        writer.request(1);
        events.next(started(), listed("b", 30), ended(30), upserted("b", 31), upserted("a", 32), upserted("b", 150));
        writer.request(1);
        assertThat(store.reached(ALL)).isEqualTo("31");
        assertThat(store.received(ALL)).isEqualTo("150");
        assertThat(store.snapshot().find(ObjectKey.parse("b"))).extracting(Versioned::resourceVersion).isEqualTo("150");
    }
}
