package io.reactiveinformer.laws.processor;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.Logger;
import ch.qos.logback.classic.spi.ILoggingEvent;
import ch.qos.logback.core.read.ListAppender;
import io.reactiveinformer.test.TestView;
import io.reactiveinformer.view.Audited;
import io.reactiveinformer.view.BacklogOverflowException;
import io.reactiveinformer.view.Change;
import io.reactiveinformer.view.Delivery;
import io.reactiveinformer.view.SubscriberStatus;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.LoggerFactory;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Each state, and where some are missing. */
class AuditedTest {

    private final TestView<String, String> view = TestView.of(Map.of());
    private VirtualTimeScheduler time;

    @BeforeEach
    void virtualTime() {
        time = VirtualTimeScheduler.getOrSet();
        view.put("a", "a1");
    }

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    private static String text(Change<String, String> change) {
        return change.match(added -> "+" + added.object(), updated -> updated.before() + " -> " + updated.after(),
                deleted -> "-" + deleted.last(), synced -> "synced");
    }

    private static String text(Audited<String, String> one) {
        return one instanceof Audited.Gap<String, String> gap
                ? "gap of " + gap.missing() + " since " + gap.since() + " " + gap.rows().stream().map(AuditedTest::text).sorted().toList()
                : text(((Audited.State<String, String>) one).change());
    }

    @Test
    void theFailureSaysWhoHowManyAndSinceWhen() {
        StepVerifier.create(view.changes(Delivery.every(2).named("audit")), 0).thenRequest(2).then(time::advanceTime).expectNextCount(2)
                .then(() -> time.advanceTimeBy(Duration.ofSeconds(5)))
                .then(() -> view.put("a", "a2").put("a", "a3")).then(() -> time.advanceTimeBy(Duration.ofSeconds(5)))
                .then(() -> view.put("a", "a4")).then(time::advanceTime)
                .expectErrorSatisfies(failure -> {
                    assertThat(failure).hasMessageStartingWith("audit: more than 2 changes wait for a subscriber with Delivery.every(…), which"
                            + " receives none of them; 3 wait, the first since 1970-01-01T00:00:05Z: ");
                    var overflow = (BacklogOverflowException) failure;
                    assertThat(overflow.subscriber()).isEqualTo("audit");
                    assertThat(overflow.limit()).isEqualTo(2);
                    assertThat(overflow.waiting()).isEqualTo(3);
                    assertThat(overflow.since()).isEqualTo("1970-01-01T00:00:05Z");
                })
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void theGapIsMarkedFromWhichStateToWhich() {
        view.put("b", "b1").put("c", "c1").put("d", "d1");
        StepVerifier.create(Audited.of(view, Delivery.every(2)).map(AuditedTest::text), 0)
                .thenRequest(5).then(time::advanceTime).expectNextCount(4).expectNext("synced")
                .then(() -> view.put("a", "a2").put("a", "a3").remove("b").recreate("c", "c2").put("e", "e1"))
                .then(time::advanceTime)
                .thenRequest(9).then(time::advanceTime)
                .expectNext("gap of 3 since 1970-01-01T00:00:00Z [-b1, a1 -> a3]", "-c1", "+c2", "+e1")
                .then(() -> view.put("a", "a4")).then(time::advanceTime)
                .then(() -> view.put("a", "a5")).then(time::advanceTime)
                .expectNext("a3 -> a4", "a4 -> a5")
                .thenCancel().verify(Duration.ofSeconds(10));
    }

    /** As a handler that blocks its thread: the failure reaches it only when it returns. */
    @Test
    void whatIsMissedWhileItIsBusyIsCounted() {
        StepVerifier.create(Audited.of(view, Delivery.every(2).named("audit")).map(AuditedTest::text), 2)
                .then(time::advanceTime).expectNext("+a1")
                .consumeNextWith(synced -> IntStream.rangeClosed(2, 11).forEach(i -> view.put("a", "a" + i)))
                .thenRequest(2).then(time::advanceTime)
                .expectNext("gap of 9 since 1970-01-01T00:00:00Z [a1 -> a10]", "a10 -> a11") // the last one still fits
                .then(() -> assertThat(view.subscribers()).singleElement().extracting(SubscriberStatus::missed).isEqualTo(9L))
                .thenCancel().verify(Duration.ofSeconds(10));
    }

    @Test
    void aGapBeforeSyncedIsFollowedByIt() {
        StepVerifier.create(Audited.of(view, Delivery.every(1)).map(AuditedTest::text), 1)
                .then(time::advanceTime)
                .consumeNextWith(added -> IntStream.rangeClosed(2, 4).forEach(i -> view.put("a", "a" + i)))
                .thenRequest(4).then(time::advanceTime)
                .expectNext("gap of 2 since 1970-01-01T00:00:00Z [a1 -> a3]", "synced", "a3 -> a4")
                .then(() -> view.put("a", "a5")).then(time::advanceTime).expectNext("a4 -> a5")
                .thenCancel().verify(Duration.ofSeconds(10));
    }

    @Test
    void theLogSaysWhenStatesAreMissingAndWhenNoMore() {
        var lines = new ListAppender<ILoggingEvent>();
        lines.start();
        Logger log = (Logger) LoggerFactory.getLogger(Audited.class);
        log.setLevel(Level.INFO);
        log.addAppender(lines);
        Disposable audit = Audited.of(view, Delivery.every(1).named("audit")).subscribe(one -> {
            if (text(one).contains("> burst")) {
                IntStream.range(0, 5).forEach(i -> view.put("b", "b" + i)); // more than wait while it is busy
            }
        });
        time.advanceTime();
        for (int minute = 0; minute < 7; minute++) {
            view.put("a", "burst " + minute);
            time.advanceTimeBy(Duration.ofMinutes(1));
        }
        view.put("a", "calm");
        time.advanceTimeBy(Duration.ofMinutes(2));
        view.put("a", "calmer");
        time.advanceTime();
        log.detachAppender(lines);
        log.setLevel(null);
        audit.dispose();
        assertThat(lines.list).extracting(ILoggingEvent::getFormattedMessage).containsExactly(
                "audit: 4 states are missing since 1970-01-01T00:00:00Z, as more changes waited than its delivery allows, and 4 in all; going on"
                        + " with the present state of 1 rows",
                "audit: 4 states are missing since 1970-01-01T00:05:00Z, as more changes waited than its delivery allows, and 24 in all; going on"
                        + " with the present state of 1 rows",
                "audit: receives each state again, and has missed 28");
    }

    @Test
    void aRowThatIsAnotherObjectIsTwoChanges() {
        StepVerifier.create(Audited.of(view, Delivery.every(2)).map(AuditedTest::text), 2)
                .then(time::advanceTime).expectNext("+a1")
                .consumeNextWith(synced -> IntStream.rangeClosed(2, 4).forEach(i -> view.recreate("a", "a" + i)))
                .thenRequest(1).then(time::advanceTime)
                .expectNext("gap of 6 since 1970-01-01T00:00:00Z [+a4, -a1]")
                .thenCancel().verify(Duration.ofSeconds(10));
    }

    @Test
    void whatWasToldOfAListIsNotMissing() {
        StepVerifier.create(Audited.of(view, Delivery.every(2)).map(AuditedTest::text), 2)
                .then(time::advanceTime).expectNext("+a1", "synced")
                .then(() -> view.list(Map.of("a", "b1", "b", "b1", "c", "b1", "d", "b1")))
                .thenRequest(2).then(time::advanceTime).expectNextCount(1)
                .consumeNextWith(second -> IntStream.rangeClosed(2, 4).forEach(i -> view.put("a", "c" + i)))
                .thenRequest(1).then(time::advanceTime)
                .expectNextMatches(gap -> gap.startsWith("gap of 5 since ")) // two of the list, and three
                .thenCancel().verify(Duration.ofSeconds(10));
    }

    /** Which may never become complete, as that of a namespace that is forbidden. */
    @Test
    void aViewThatIsNotCompleteHasGapsToo() {
        TestView<String, String> partial = TestView.create();
        partial.put("a", "a1");
        StepVerifier.create(Audited.of(partial, Delivery.every(1).partial()).map(AuditedTest::text), 1)
                .then(time::advanceTime)
                .consumeNextWith(added -> IntStream.rangeClosed(2, 3).forEach(i -> partial.put("a", "a" + i)))
                .thenRequest(9).then(time::advanceTime)
                .expectNext("gap of 2 since 1970-01-01T00:00:00Z [a1 -> a3]")
                .then(() -> partial.put("a", "a4")).then(time::advanceTime).expectNext("a3 -> a4")
                .thenCancel().verify(Duration.ofSeconds(10));
    }

    /** One waits at all times; the first that was dropped came an hour later. */
    @Test
    void sinceIsTheTimeOfTheFirstThatIsMissing() {
        StepVerifier.create(Audited.of(view, Delivery.every(1)).map(AuditedTest::text), 2)
                .then(time::advanceTime).expectNext("+a1", "synced")
                .then(() -> view.put("a", "a2"))
                .then(() -> time.advanceTimeBy(Duration.ofHours(1)))
                .thenRequest(1).expectNext("a1 -> a2")
                .then(() -> view.put("a", "a3")).then(() -> time.advanceTimeBy(Duration.ofHours(1)))
                .thenRequest(1).then(time::advanceTime)
                .consumeNextWith(third -> IntStream.rangeClosed(4, 5).forEach(i -> view.put("a", "a" + i)))
                .thenRequest(1).then(time::advanceTime)
                .expectNext("gap of 2 since 1970-01-01T02:00:00Z [a3 -> a5]")
                .thenCancel().verify(Duration.ofSeconds(10));
    }

    /** On threads as in production: each change is a state, or one of those that are missing. */
    @Test
    void statesAndWhatIsMissingAreAllChanges() throws InterruptedException {
        VirtualTimeScheduler.reset();
        TestView<String, String> rows = TestView.of(Map.of());
        var seen = new AtomicLong();
        var last = new CountDownLatch(1);
        Disposable audit = Audited.of(rows, Delivery.every(20).on(Schedulers.boundedElastic())).subscribe(one -> {
            LockSupport.parkNanos(20_000);
            if (one instanceof Audited.Gap<String, String> gap) {
                seen.addAndGet(gap.missing());
            } else {
                seen.addAndGet(text(one).equals("synced") ? 0 : 1);
            }
            if (rows.snapshot().size() == 4 && text(one).contains("last")) {
                last.countDown();
            }
        });
        for (int i = 0; i < 20_000; i++) {
            rows.put("row-" + i % 3, "s" + i);
        }
        rows.put("last", "last");
        assertThat(last.await(30, TimeUnit.SECONDS)).isTrue();
        audit.dispose();
        assertThat(seen).hasValue(20_001);
    }

    /** What was told, applied in order, is the view in the end; and each row continues from the state that was told last. */
    @Test
    void statesAndGapsAreWithoutAHole() {
        long first = System.nanoTime();
        for (long seed = first; seed < first + 200; seed++) {
            var random = new Random(seed);
            TestView<String, String> rows = TestView.of(Map.of());
            Map<String, String> told = new HashMap<>();
            Map<String, String> expected = new HashMap<>();
            var subscriber = new reactor.core.publisher.BaseSubscriber<Audited<String, String>>() {
                @Override
                protected void hookOnSubscribe(org.reactivestreams.Subscription subscription) {}

                @Override
                protected void hookOnNext(Audited<String, String> one) {
                    List<Change<String, String>> changes = one instanceof Audited.Gap<String, String> gap ? gap.rows()
                            : List.of(((Audited.State<String, String>) one).change());
                    changes.forEach(change -> change.accept(added -> assertThat(told.put(added.key(), added.object())).isNull(),
                            updated -> assertThat(told.put(updated.key(), updated.after())).isEqualTo(updated.before()),
                            deleted -> assertThat(told.remove(deleted.key())).isEqualTo(deleted.last()), synced -> {}));
                }
            };
            Audited.of(rows, Delivery.every(1 + random.nextInt(3))).subscribe(subscriber);
            for (int i = 0; i < 100; i++) {
                String key = "row-" + random.nextInt(3);
                switch (random.nextInt(6)) {
                    case 0, 1 -> rows.put(key, put(expected, key, "s" + i));
                    case 2 -> rows.recreate(key, put(expected, key, "s" + i));
                    case 3 -> {
                        rows.remove(key);
                        expected.remove(key);
                    }
                    case 4 -> subscriber.request(1 + random.nextInt(5));
                    default -> time.advanceTime();
                }
            }
            subscriber.requestUnbounded();
            time.advanceTime();
            assertThat(told).as("seed %s", seed).isEqualTo(expected);
            subscriber.cancel();
        }
    }

    private static String put(Map<String, String> rows, String key, String value) {
        rows.put(key, value);
        return value;
    }
}
