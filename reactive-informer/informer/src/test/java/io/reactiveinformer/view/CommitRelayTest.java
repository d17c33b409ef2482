package io.reactiveinformer.view;

import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Snapshot;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import net.jqwik.api.Arbitraries;
import net.jqwik.api.Arbitrary;
import net.jqwik.api.ForAll;
import net.jqwik.api.Property;
import net.jqwik.api.Provide;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/**
 * Followers that are notified on a thread of their own, since they are many. Planted once, and caught: a follower that joins notified of
 * what it began with; rows that changed back left out of what is conflated; the end before what was noted; commits after somebody came
 * conflated into those before.
 */
class CommitRelayTest {

    private final ManualScheduler relaying = new ManualScheduler();
    private final ManualScheduler delivering = new ManualScheduler();
    private final Rows rows = Rows.relayed(true, relaying);

    private Listening<String> subscriber() {
        return Listening.to(rows.hub.changes(Delivery.conflated().on(delivering)));
    }

    private void runAll() {
        relaying.runAll();
        delivering.runAll();
    }

    @Test
    void theWriterNotesACommitOnceForAll() {
        List<Listening<String>> many = List.of(subscriber().all(), subscriber().all(), subscriber().all());
        delivering.runAll();
        rows.put("a", "u", 1);
        assertThat(relaying.waiting()).isEqualTo(1);
        assertThat(delivering.waiting()).as("nobody was woken by the writer").isZero();
        runAll();
        assertThat(many).allSatisfy(one -> assertThat(one.received()).containsExactly("synced 0", "+a=u@1"));
    }

    @Test
    void whatIsConflatedIsStillConflatedWhenSomebodyLeaves() {
        Listening<String> subscriber = subscriber().all();
        delivering.runAll();
        for (int version = 1; version <= 100; version++) {
            Listening<String> other = subscriber();
            delivering.runAll();
            rows.put("k", "u", version);
            other.subscription.cancel();
        }
        Listening<String> last = subscriber();
        for (int version = 101; version <= 200; version++) {
            rows.put("k", "u", version);
            if (version == 150) {
                last.subscription.cancel();
            }
        }
        int turns = 0;
        while (relaying.waiting() > 0) {
            relaying.runNext();
            turns++;
        }
        delivering.runAll();
        assertThat(turns).as("one for each who came, and one for all since").isEqualTo(101);
        assertThat(subscriber.received()).last().asString().endsWith("u@200");
    }

    @Test
    void aDerivedViewIsOneOfTheMany() {
        var inlet = new Inlet<>(rows.hub.feed(), () -> {});
        inlet.attach();
        inlet.take();
        rows.put("a", "u", 1).put("b", "u", 2).put("a", "u", 3);
        assertThat(inlet.hasNews()).as("notified by the writer").isFalse();
        runAll();
        assertThat(inlet.take().differences()).hasSize(2);
    }

    @Test
    void whatTheWriterLeavesMeanwhileIsConflatedByRow() {
        Listening<String> subscriber = subscriber().all();
        delivering.runAll();
        for (int version = 1; version <= 100_000; version++) {
            rows.put("k" + version % 20, "u", version);
        }
        relaying.runNext();
        assertThat(subscriber.backlog()).isEqualTo(20);
        assertThat(relaying.waiting()).as("all of it at once").isZero();
        delivering.runAll();
        assertThat(subscriber.received()).hasSize(21).contains("+k0=u@100000", "+k19=u@99999");
    }

    /** Law 2, to the letter: {@code before} is what was received, not another instance that equals it. */
    @Test
    void aRowThatChangedBackMeanwhileIsStillTheOneThatWasEmitted() {
        var subscriber = new ChangeRacesTest.Replaying(Long.MAX_VALUE);
        rows.hub.changes(Delivery.conflated().on(delivering)).subscribe(subscriber);
        rows.put("a", "u", 1);
        runAll();
        rows.put("a", "u", 2).put("a", "u", 1);
        runAll();
        rows.put("a", "u", 3);
        runAll();
        subscriber.checkKnows(rows);
    }

    @Test
    void whoJoinsBeginsWithTheRowsOfThatMoment() {
        Listening<String> first = subscriber().all();
        rows.put("a", "u", 1);
        Listening<String> second = subscriber().all();
        rows.put("a", "u", 2).put("b", "u", 3);
        runAll();
        assertThat(first.received()).containsExactly("synced 0", "+a=u@2", "+b=u@3");
        assertThat(second.received()).containsExactly("+a=u@2 (initial)", "synced 1", "+b=u@3");
    }

    @Test
    void aNotifiedFollowerHasItsTurnBeforeTheNextBatch() {
        subscriber().all();
        rows.put("a", "u", 1);
        subscriber().all();
        rows.put("a", "u", 2);
        relaying.runNext();
        assertThat(relaying.waiting()).as("the second batch waits its turn").isEqualTo(1);
    }

    @Test
    void theEndComesAfterWhatWasLeft() {
        Listening<String> subscriber = subscriber().all();
        rows.put("a", "u", 1);
        subscriber();
        rows.put("b", "u", 2);
        rows.hub.complete();
        runAll();
        assertThat(subscriber.received()).containsExactly("synced 0", "+a=u@1", "+b=u@2");
        assertThat(subscriber.completed).isTrue();
    }

    @Test
    void aFailureComesInsteadOfWhatWasLeft() {
        Listening<String> subscriber = subscriber().all();
        delivering.runAll();
        rows.put("a", "u", 1);
        rows.hub.fail(new IllegalStateException("given up"));
        runAll();
        assertThat(subscriber.received()).containsExactly("synced 0");
        assertThat(subscriber.failure).hasMessage("given up");
    }

    @Test
    void everyStateIsEmittedByTheWriterItself() {
        Listening<String> every = Listening.to(rows.hub.changes(Delivery.every(10).on(delivering))).all();
        rows.put("a", "u", 1).put("a", "u", 2);
        delivering.runAll();
        assertThat(every.received()).containsExactly("synced 0", "+a=u@1", "a: u@1 -> u@2");
        assertThat(relaying.waiting()).isZero();
    }

    @Test
    void nothingIsNotedForNobody() {
        Listening<String> subscriber = subscriber();
        subscriber.subscription.cancel();
        rows.put("a", "u", 1);
        assertThat(relaying.waiting()).isZero();
        assertThat(rows.hub.followers()).isZero();
    }

    @Test
    void aSchedulerThatIsShutDownEndsItsSubscribers() {
        Listening<String> subscriber = subscriber().all();
        delivering.runAll();
        relaying.shutDown();
        delivering.shutDown();
        rows.put("a", "u", 1);
        assertThat(subscriber.failure).hasMessageContaining("Scheduler unavailable");
    }

    /**
     * A relay that is about to look for work when the end comes sees the work that came before the end. Planted once, and caught: two looks
     * instead of one, with a pause between them; without a pause it is too rare to be seen.
     */
    @Test
    void anEndThatComesBetweenTwoLooksDoesNotHideWhatCameBeforeIt() throws InterruptedException {
        for (int round = 0; round < 5_000; round++) {
            Rows raced = Rows.relayed(true, Schedulers.parallel());
            var subscriber = new ChangeRacesTest.Replaying(Long.MAX_VALUE);
            raced.hub.changes(Delivery.conflated().on(Schedulers.parallel())).subscribe(subscriber);
            raced.put("a", "u", 1).put("a", "u", 2).put("a", "u", 3).put("b", "u", 4);
            raced.hub.complete();
            subscriber.awaitEnd();
            subscriber.checkKnows(raced);
        }
    }

    @Test
    void aRowThatCameAndWentMeanwhileIsNotKept() {
        Listening<String> subscriber = subscriber().all();
        delivering.runAll();
        rows.put("stays", "u", 1);
        for (int i = 0; i < 1_000; i++) {
            rows.put("k" + i, "u", 2 * i).remove("k" + i, 2 * i + 1);
        }
        relaying.runAll();
        assertThat(subscriber.backlog()).isEqualTo(1);
    }

    @Property(tries = 3_000, seed = "1")
    void everySubscriberEndsUpWithTheRowsStepByStep(@ForAll("schedules") List<Integer> schedule) {
        new World().play(schedule);
    }

    @Provide
    Arbitrary<List<Integer>> schedules() {
        return Arbitraries.integers().between(0, 9_999).list().ofMinSize(1).ofMaxSize(150);
    }

    private static final class World {

        private final ManualScheduler relaying = new ManualScheduler();
        private final ManualScheduler delivering = new ManualScheduler();
        private final Rows rows = Rows.relayed(true, relaying);
        private final List<ChangeRacesTest.Replaying> subscribers = new ArrayList<>();
        private int version;

        void play(List<Integer> schedule) {
            for (int step : schedule) {
                play(step % 12, step / 12);
            }
            subscribers.forEach(one -> one.request(Long.MAX_VALUE));
            runAll();
            assertThat(subscribers).allSatisfy(one -> assertThat(one.failure).isNull());
            subscribers.stream().filter(one -> !one.isDisposed()).forEach(one -> one.checkKnows(rows));
        }

        private void play(int action, int detail) {
            switch (action) {
                case 0 -> subscribe(detail % 3);
                case 1 -> pick(detail, ChangeRacesTest.Replaying::cancel);
                case 2, 3 -> pick(detail, one -> one.request(1 + detail % 3));
                case 4, 5 -> relaying.runNext();
                case 6, 7 -> delivering.runNext();
                case 8 -> runAll();
                default -> edit(detail);
            }
        }

        private void runAll() {
            while (relaying.waiting() + delivering.waiting() > 0) {
                relaying.runAll();
                delivering.runAll();
            }
        }

        private void subscribe(int demand) {
            var subscriber = new ChangeRacesTest.Replaying(demand);
            subscribers.add(subscriber);
            rows.hub.changes(Delivery.conflated().on(delivering)).subscribe(subscriber);
        }

        private void pick(int detail, Consumer<ChangeRacesTest.Replaying> action) {
            if (!subscribers.isEmpty()) {
                action.accept(subscribers.get(detail % subscribers.size()));
            }
        }

        private void edit(int detail) {
            String key = "k" + detail % 5;
            Versioned<String> known = rows.table.find(key);
            switch (detail / 5 % 5) {
                case 0 -> rows.remove(key, ++version);
                case 1 -> rows.put(key, "u" + version, ++version); // another object
                case 2 -> rows.put(key, known == null ? "u" : known.uid(), 0); // a version that was there before, in another instance
                default -> rows.put(key, known == null ? "u" + version : known.uid(), ++version);
            }
        }
    }

    /** The limit of a subscriber counts changes, and not the rows of a list. */
    @Test
    void aListAmongConflatedCommitsMakesABatchOfThem() {
        Snapshot<String, String> before = rows.snapshot();
        rows.put("a", "u", 1);
        var batch = new CommitBatch<>(new Commit<>(before, List.of(), false));
        batch.conflate(new Commit<>(rows.snapshot(), List.of(), true));
        batch.conflate(new Commit<>(rows.snapshot(), List.of(), false));
        assertThat(batch.all().batch()).isTrue();
    }

    @Test
    void theRowsOfTheBeginningAreEmittedWithoutTheLockOfTheHub() {
        List<Integer> followers = new ArrayList<>();
        Disposable subscribed = rows.hub.snapshots(Delivery.conflated().on(Schedulers.immediate()))
                .map(snapshot -> CompletableFuture.supplyAsync(rows.hub::followers).orTimeout(10, TimeUnit.SECONDS).join())
                .subscribe(followers::add);
        assertThat(followers).containsExactly(1);
        subscribed.dispose();
    }
}
