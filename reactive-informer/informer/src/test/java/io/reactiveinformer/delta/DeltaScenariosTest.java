package io.reactiveinformer.delta;

import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.test.publisher.TestPublisher;

import static io.reactiveinformer.delta.DeltaSteps.bookmark;
import static io.reactiveinformer.delta.DeltaSteps.deleted;
import static io.reactiveinformer.delta.DeltaSteps.ended;
import static io.reactiveinformer.delta.DeltaSteps.key;
import static io.reactiveinformer.delta.DeltaSteps.listed;
import static io.reactiveinformer.delta.DeltaSteps.started;
import static io.reactiveinformer.delta.DeltaSteps.text;
import static io.reactiveinformer.delta.DeltaSteps.upserted;
import static org.assertj.core.api.Assertions.assertThat;

/**
 * client-go's DeltaFIFO (scenarios 8.4) and RealFIFO (8.5). Where ours differs, it does so on purpose:
 *
 * <ul>
 *   <li>What waits is conflated: one state a key, where a DeltaFIFO keeps each delta (68 to 74, 81, 89, 90, 94, 96) until it is popped.
 *   <li>A listing is one delta with what differs, taken in at once, where theirs are a Replaced, Sync or tombstone for each object (82, 84,
 *       93, 105, 106); what is unchanged is not emitted again. So there are no batches (100, 101, 102, 104): a listing is one, everything
 *       else comes one by one.
 *   <li>An object that was never emitted needs no tombstone (69, 73, 74).
 *   <li>A delta says up to which version all has been emitted ({@link Delta#completeTo}), since a key that changes again keeps its place
 *       (85, 98).
 *   <li>A resync is each subscriber's own, and does not pass here (80, 97: {@code ResyncTest}).
 *   <li>There is no blocking pop to be released (88): the end comes as a signal.
 * </ul>
 */
class DeltaScenariosTest {

    private final MapStore known = new MapStore();
    private final TestPublisher<ReflectorEvent<String>> events = TestPublisher.create();
    private final List<String> received = new ArrayList<>();

    private final BaseSubscriber<Delta<String>> queue = new BaseSubscriber<>() {
        @Override
        protected void hookOnSubscribe(Subscription subscription) {}

        @Override
        protected void hookOnNext(Delta<String> delta) {
            known.apply(delta);
            received.add(text(delta));
        }

        @Override
        protected void hookOnComplete() {
            received.add("closed");
        }
    };

    DeltaScenariosTest() {
        events.flux().transform(DeltaStage.over(known)).subscribe(queue);
    }

    private List<String> pop(long number) {
        received.clear();
        queue.request(number);
        return List.copyOf(received);
    }

    @SafeVarargs
    private void happens(ReflectorEvent<String>... next) {
        for (ReflectorEvent<String> event : next) {
            events.next(event);
        }
    }

    private void knows(String... names) {
        for (String name : names) {
            known.objects.put(key(name), new Versioned<>("uid-" + name, "6", name));
        }
        known.reached.put(Namespaces.all(), "6");
    }

    private static ReflectorEvent<String> listedAnew(String name, int version) {
        return new ReflectorEvent.Received<>(Namespaces.all(),
                new ObjectEvent.Applied<>(key(name), new Versioned<>("another", String.valueOf(version), name)));
    }

    /** 8.4.68, 8.5.90. */
    @Test
    void aListMakesUpForADeletionThatWaits() {
        knows("a");
        happens(deleted("a", 7), started(), listedAnew("a", 8), ended(9));
        assertThat(pop(10)).containsExactly("at 9: +a@8");
        assertThat(known.objects.get(key("a")).uid()).as("the store tells of a deletion, then of an addition").isEqualTo("another");
    }

    /** 8.4.69, 8.4.73, 8.4.74. */
    @Test
    void theEndOfWhatWasNeverEmittedIsNotEmitted() {
        happens(upserted("a", 7), started(), ended(8), started(), ended(9));
        assertThat(pop(1)).containsExactly("at 9:");
        happens(upserted("b", 10), deleted("b", 11), upserted("b", 12), started(), ended(13));
        assertThat(pop(10)).containsExactly("at 13:");
    }

    /** 8.4.69, 8.4.70, 8.4.72, 8.4.73, 8.4.74: as above, popped as it comes. */
    @Test
    void theEndOfWhatWasEmittedIsEmittedOnce() {
        queue.request(100);
        happens(upserted("a", 7), started(), listed("a", 7), ended(8), started(), listed("a", 7),
                ended(9), started(), ended(10), started(), ended(11));
        assertThat(received).containsExactly("+a@7", "at 8:", "at 9:", "at 10: -a@7 INFERRED", "at 11:");
        received.clear();
        happens(upserted("b", 12), deleted("b", 13), upserted("b", 14), started(), ended(15));
        assertThat(received).containsExactly("+b@12", "-b@13 OBSERVED", "+b@14", "at 15: -b@14 INFERRED");
    }

    /** 8.4.77, 8.4.78, 8.5.92: ours tells of the end of what is unknown, as RealFIFO does: an event may have been seen by others. */
    @Test
    void theEndOfWhatIsUnknownIsEmitted() {
        queue.request(100);
        happens(upserted("a", 10), upserted("b", 15), deleted("never", 17), deleted("b", 18));
        assertThat(received).containsExactly("+a@10", "+b@15", "-never@17 OBSERVED", "-b@18 OBSERVED");
    }

    /** 8.4.81. */
    @Test
    void whatCameAndWentWhileItWaitedIsGone() {
        happens(upserted("a", 7), deleted("a", 8));
        assertThat(pop(10)).containsExactly("-a@8 OBSERVED");
    }

    /** 8.4.82, 8.5.93, 8.5.96. */
    @Test
    void aListInfersWhatItDoesNotHave() {
        knows("foo", "bar", "baz");
        queue.request(100);
        happens(deleted("baz", 10), started(), listed("foo", 6), ended(11));
        assertThat(received).containsExactly("-baz@10 OBSERVED", "at 11: -bar@6 INFERRED");
        received.clear();
        happens(started(), listed("bar", 100), listed("foo", 6), ended(101), started(), listed("foo", 6), ended(102));
        assertThat(received).containsExactly("at 101: +bar@100", "at 102: -bar@100 INFERRED");
    }

    /** 8.4.82, 8.5.94: what was changed in the queue is deleted in the state that was emitted last. */
    @Test
    void whatIsInferredIsTheStateThatIsCached() {
        knows("foo", "bar", "baz");
        happens(upserted("baz", 10), started(), listed("foo", 6), ended(11));
        assertThat(pop(10)).containsExactly("at 11: -bar@6 INFERRED -baz@6 INFERRED");
    }

    /** 8.4.84: a first list is complete at once, its deletions too; nothing is half-popped. */
    @Test
    void aListIsTakenInAtOnce() {
        knows("gone");
        happens(started(), listed("a", 7), listed("b", 8), ended(9));
        assertThat(pop(1)).containsExactly("at 9: -gone@6 INFERRED +a@7 +b@8");
        assertThat(pop(10)).isEmpty();
    }

    /** 8.4.85, 8.5.98. */
    @Test
    void noKeyJumpsTheLine() {
        happens(upserted("foo", 10), upserted("bar", 11), upserted("foo", 12), upserted("foo", 13), upserted("zab", 30));
        assertThat(pop(1)).containsExactly("+foo@13 to 10");
        happens(upserted("foo", 31));
        assertThat(pop(10)).containsExactly("+bar@11 to 13", "+zab@30", "+foo@31");
    }

    /** 8.4.88. */
    @Test
    void closingEndsIt() {
        events.complete();
        assertThat(received).containsExactly("closed");
    }

    /** 8.5.89. */
    @Test
    void popsInTheOrderOfEvents() {
        queue.request(3);
        happens(upserted("a", 10), upserted("a", 12), deleted("a", 15));
        assertThat(received).containsExactly("+a@10", "+a@12", "-a@15 OBSERVED");
    }

    /** 8.5.100, 8.5.101, 8.5.102, 8.5.104, 8.5.105, 8.5.106. */
    @Test
    void aListIsOneDeltaWhateverCameBefore() {
        happens(started(), ended(5));
        assertThat(pop(1)).containsExactly("at 5:");
        happens(upserted("a", 6), started(), listed("a", 6), listed("b", 7), ended(8));
        assertThat(pop(1)).containsExactly("at 8: +a@6 +b@7");
        happens(bookmark(9), started(), listed("a", 6), listed("b", 7), ended(10));
        assertThat(pop(10)).containsExactly("at 10:");
    }

    /** 8.4.86, 8.6.113: every delta says its key, deletions and their last states too. */
    @Test
    void everythingSaysItsKey() {
        knows("a");
        List<ObjectKey> keys = new ArrayList<>();
        known.forEachKey(Namespaces.all(), keys::add);
        queue.request(10);
        happens(deleted("a", 7));
        assertThat(received).containsExactly("-a@7 OBSERVED");
        assertThat(keys).containsExactly(ObjectKey.parse("a"));
    }
}
