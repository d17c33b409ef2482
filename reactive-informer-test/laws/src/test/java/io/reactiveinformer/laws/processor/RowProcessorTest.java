package io.reactiveinformer.laws.processor;

import io.reactiveinformer.processor.ProcessorStatus;
import io.reactiveinformer.processor.RowChange;
import io.reactiveinformer.processor.RowProcessor;
import io.reactiveinformer.processor.RowProcessorBuilder;
import io.reactiveinformer.queue.Result;
import io.reactiveinformer.queue.WorkQueue;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.test.TestView;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** What a processor does with the rows of a view, in virtual time. */
class RowProcessorTest {

    private static final Duration WORK = Duration.ofMillis(100);

    private final TestView<String, String> view = TestView.create();
    private final List<String> log = new ArrayList<>();
    private VirtualTimeScheduler time;

    @BeforeEach
    void virtualTime() {
        time = VirtualTimeScheduler.getOrSet();
    }

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    private RowProcessorBuilder<String, String> processor() {
        return RowProcessor.of("table", view);
    }

    private void pass(long millis) {
        time.advanceTimeBy(Duration.ofMillis(millis));
    }

    private static String text(RowChange<String, String> row) {
        String before = row.before() == null ? "" : row.before().object() + " -> ";
        return row.key() + ": " + before + (row.deleted() ? "gone " + row.cause() : row.object());
    }

    /** Writes down what begins, at which millisecond, and takes 100 ms. */
    private Mono<Void> slowly(RowChange<String, String> row) {
        log.add(time.now(TimeUnit.MILLISECONDS) + " " + text(row));
        return Mono.delay(WORK).then();
    }

    private Mono<Void> atOnce(RowChange<String, String> row) {
        log.add(text(row));
        return Mono.empty();
    }

    private RowProcessor<String> started(RowProcessor<String> processor) {
        processor.start();
        time.advanceTime();
        return processor;
    }

    private List<String> logged() {
        time.advanceTime();
        List<String> since = List.copyOf(log);
        log.clear();
        return since;
    }

    @Test
    void theNewestStateIsNextHoweverManyThereWere() {
        view.list(Map.of("web", "s0"));
        started(processor().process(this::slowly));
        for (int i = 1; i <= 100; i++) {
            pass(10);
            view.put("web", "s" + i);
        }
        pass(1000);
        assertThat(log).as("what was newest at the end of each work").containsExactly("0 web: s0", "100 web: s0 -> s9", "200 web: s9 -> s19",
                "300 web: s19 -> s29", "400 web: s29 -> s39", "500 web: s39 -> s49", "600 web: s49 -> s59", "700 web: s59 -> s69",
                "800 web: s69 -> s79", "900 web: s79 -> s89", "1000 web: s89 -> s99", "1100 web: s99 -> s100");
    }

    @Test
    void writesOfOneRowNeverOvertakeEachOther() {
        Map<String, String> table = new HashMap<>();
        view.list(Map.of());
        started(processor().process(row -> Mono.delay(Duration.ofMillis(row.object().equals("a") ? 500 : 10))
                .doOnNext(done -> table.put(row.key(), row.object()))));
        view.put("web", "a");
        pass(10);
        view.put("web", "b");
        pass(1000);
        assertThat(table).isEqualTo(Map.of("web", "b"));
    }

    @Test
    void atMostSoManyRowsAtATimeAndEachOnce() {
        view.list(Map.of("a", "1", "b", "1", "c", "1"));
        RowProcessor<String> processor = started(processor().concurrency(2).process(this::slowly));
        assertThat(processor.status()).extracting(ProcessorStatus::running, ProcessorStatus::behind, ProcessorStatus::state)
                .containsExactly(2, 3, ProcessorStatus.State.SYNCING);
        assertThat(logged()).hasSize(2);
        pass(100);
        assertThat(logged()).hasSize(1);
        pass(100);
        assertThat(processor.status()).extracting(ProcessorStatus::running, ProcessorStatus::behind, ProcessorStatus::state)
                .containsExactly(0, 0, ProcessorStatus.State.WORKING);
    }

    @Test
    void beforeIsWhatWasFinishedNotWhatFailed() {
        view.list(Map.of("web", "s1"));
        started(processor().process(row -> atOnce(row).then(row.deleted() || !row.object().equals("s2") ? Mono.empty()
                : Mono.error(new IllegalStateException("no s2")))));
        assertThat(logged()).containsExactly("web: s1");
        view.put("web", "s2");
        assertThat(logged()).containsExactly("web: s1 -> s2");
        view.put("web", "s3");
        assertThat(logged()).containsExactly("web: s1 -> s3");
        view.remove("web");
        assertThat(logged()).containsExactly("web: s3 -> gone OBSERVED");
        pass(60_000);
        assertThat(logged()).isEmpty();
    }

    @Test
    void aRowThatIsReplacedIsGoneBeforeTheOtherComes() {
        view.list(Map.of("web", "s1"));
        started(processor().process(this::slowly));
        view.recreate("web", "s2");
        pass(300);
        assertThat(log).containsExactly("0 web: s1", "100 web: s1 -> gone OBSERVED", "200 web: s2");
    }

    @Test
    void aRowThatIsGoneWhileItsFirstWorkFailedIsToldAsGone() {
        view.list(Map.of());
        var fails = new AtomicInteger(1);
        started(processor().process(row -> atOnce(row).then(
                fails.getAndDecrement() > 0 ? Mono.error(new IllegalStateException("perhaps it was written")) : Mono.empty())));
        view.put("web", "s1");
        assertThat(logged()).containsExactly("web: s1");
        view.remove("web");
        assertThat(logged()).containsExactly("web: s1 -> gone OBSERVED");
    }

    @Test
    void whatCameAndWentIsToldIfAskedFor() {
        view.list(Map.of("busy", "s1"));
        started(processor().concurrency(1).process(this::slowly));
        RowProcessor<String> brief = started(RowProcessor.of("brief", view).brief().concurrency(1).process(row -> atOnce(row).then(
                Mono.delay(WORK)).then()));
        log.clear();
        view.put("web", "s1").remove("web");
        pass(1000);
        assertThat(log).containsExactly("web: s1 -> gone OBSERVED");
        assertThat(brief.status().behind()).isZero();
    }

    @Test
    void aRowThatFailsIsTriedAgainWithoutHoldingOthers() {
        view.list(Map.of("bad", "s1", "good", "s1"));
        RowProcessor<String> processor = started(processor().concurrency(1).process(row -> row.key().equals("bad")
                ? Mono.error(new IllegalStateException("bad row")) : atOnce(row)));
        assertThat(logged()).containsExactly("good: s1");
        ProcessorStatus status = processor.status();
        assertThat(status.behind()).isOne();
        assertThat(status.failing()).isOne();
        assertThat(status.healthy()).isFalse();
        assertThat(status.behindSince()).isEqualTo("1970-01-01T00:00:00Z");
        assertThat(status.failures()).singleElement().satisfies(row -> {
            assertThat(row.key()).isEqualTo("bad");
            assertThat(row.retries()).isOne();
            assertThat(row.cause()).hasMessage("bad row");
            assertThat(row.next()).isEqualTo("1970-01-01T00:00:00.100Z");
        });
        pass(700); // 100, 200 and 400 ms
        assertThat(processor.status().failures().get(0).retries()).isEqualTo(4);
        view.put("good", "s2");
        assertThat(logged()).containsExactly("good: s1 -> s2");
        view.remove("bad");
        assertThat(processor.status().behind()).as("also deletions fail").isOne();
    }

    @Test
    void whatIsThrownFailsTheRowOnly() {
        view.list(Map.of("error", "s1", "good", "s1", "null", "s1", "throws", "s1"));
        RowProcessor<String> processor = started(processor().process(row -> switch (row.key()) {
            case "error" -> throw new LinkageError("no class");
            case "null" -> null;
            case "throws" -> throw new IllegalStateException("thrown");
            default -> atOnce(row);
        }));
        assertThat(logged()).containsExactly("good: s1");
        assertThat(processor.status().failures()).extracting(row -> row.key() + ": " + row.cause().getMessage()).containsExactlyInAnyOrder(
                "error: an Error: java.lang.LinkageError: no class", "throws: thrown",
                "null: the work returned null; return Mono.empty() if there is nothing to do");
    }

    @Test
    void workThatTakesTooLongHasFailed() {
        view.list(Map.of("web", "s1"));
        RowProcessor<String> processor = started(processor().timeout(Duration.ofSeconds(1)).process(row -> Mono.never()));
        pass(1000);
        assertThat(processor.status().failures()).singleElement().satisfies(row ->
                assertThat(row.cause()).isInstanceOf(TimeoutException.class).hasMessage("the work on web took longer than PT1S"));
    }

    @Test
    void aServiceThatAsksForTimeIsAskedAgainThen() {
        view.list(Map.of("web", "s1"));
        var answers = new AtomicInteger();
        RowProcessor<String> processor = started(processor().process(row -> atOnce(row).then(Mono.just(
                answers.getAndIncrement() == 0 ? Result.again(Duration.ofSeconds(20)) : Result.done()))));
        assertThat(logged()).containsExactly("web: s1");
        assertThat(processor.status()).extracting(ProcessorStatus::behind, ProcessorStatus::failing).containsExactly(1, 0);
        pass(20_000);
        assertThat(logged()).containsExactly("web: s1");
        assertThat(processor.status().behind()).isZero();
    }

    @Test
    void whatIsGivenUpCountsAsFinished() {
        view.list(Map.of("web", "s1"));
        RowProcessor<String> processor =
                started(processor().process(row -> atOnce(row).then(Mono.just(Result.givenUp(new IllegalStateException("malformed"))))));
        pass(60_000);
        assertThat(logged()).containsExactly("web: s1");
        assertThat(processor.status().behind()).isZero();
    }

    @Test
    void higherPrioritiesAndChangesGoFirst() {
        view.list(Map.of("a", "1", "b", "5", "c", "3", "d", "2"));
        var fast = new AtomicInteger();
        started(processor().concurrency(1).priority(Integer::parseInt).process(row -> fast.getAndIncrement() == 0 ? slowly(row)
                : atOnce(row)));
        pass(100);
        assertThat(log.stream().skip(1).toList()).isSubsetOf("b: 5", "c: 3", "d: 2", "a: 1").isSortedAccordingTo(
                (one, other) -> other.substring(3).compareTo(one.substring(3)));
    }

    @Test
    void aPriorityThatCannotBeComputedIsZero() {
        view.list(Map.of("a", "x"));
        started(processor().priority(Integer::parseInt).process(this::atOnce));
        assertThat(logged()).containsExactly("a: x");
    }

    @Test
    void isSyncedWhenAllRowsOfTheStartAreFinished() {
        view.put("a", "1").put("b", "1");
        RowProcessor<String> processor = started(processor().concurrency(1).process(this::slowly));
        StepVerifier.withVirtualTime(processor::synced, () -> time, Long.MAX_VALUE)
                .expectSubscription().expectNoEvent(Duration.ofSeconds(1))
                .then(view::sync).expectNoEvent(Duration.ofMillis(200)).expectComplete().verify(Duration.ofSeconds(10));
    }

    @Test
    void rowsThatComeLaterDoNotCountForSynced() {
        view.list(Map.of("slow", "1"));
        RowProcessor<String> processor = started(processor().process(row -> row.key().equals("slow") ? slowly(row) : atOnce(row)));
        view.put("fast", "1");
        time.advanceTime();
        assertThat(processor.status()).extracting(ProcessorStatus::state, ProcessorStatus::behind)
                .containsExactly(ProcessorStatus.State.SYNCING, 1);
        pass(100);
        assertThat(processor.status().state()).isEqualTo(ProcessorStatus.State.WORKING);
    }

    @Test
    void anEmptyViewIsSyncedAtOnce() {
        view.list(Map.of());
        RowProcessor<String> processor = started(processor().process(this::slowly));
        StepVerifier.create(processor.synced()).expectComplete().verify(Duration.ofSeconds(10));
    }

    @Test
    void withoutDemandAtMostSoManyRowsAreBegun() {
        view.list(Map.of("a", "1", "b", "1", "c", "1", "d", "1"));
        var outcomes = new BaseSubscriber<WorkQueue.Outcome<String>>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {}
        };
        processor().concurrency(2).process(this::atOnce).run().subscribe(outcomes);
        assertThat(logged()).hasSize(2);
        outcomes.request(1);
        assertThat(logged()).hasSize(1);
    }

    @Test
    void aLaterRunContinuesWithWhatIsNotFinished() {
        view.list(Map.of("done", "s1", "gone", "s1", "web", "s1"));
        RowProcessor<String> processor = processor().process(row -> row.key().equals("web") ? slowly(row) : atOnce(row));
        var first = processor.run().subscribe();
        assertThat(logged()).containsExactlyInAnyOrder("done: s1", "gone: s1", "0 web: s1");
        first.dispose();
        assertThat(processor.status()).extracting(ProcessorStatus::state, ProcessorStatus::running, ProcessorStatus::behind)
                .containsExactly(ProcessorStatus.State.IDLE, 0, 1);
        view.remove("gone").put("new", "s1");
        processor.run().subscribe();
        assertThat(logged()).containsExactlyInAnyOrder("0 web: s1", "gone: s1 -> gone INFERRED", "new: s1");
    }

    @Test
    void runsOnceAtATime() {
        view.list(Map.of());
        RowProcessor<String> processor = started(processor().process(this::atOnce));
        StepVerifier.create(processor.run()).expectErrorMessage(
                "processor table runs already; it can have one run() or start() at a time").verify(Duration.ofSeconds(10));
    }

    @Test
    void aDrainWaitsForTheRunningWorkAndBeginsNoMore() {
        view.list(Map.of("a", "1", "b", "1"));
        RowProcessor<String> processor = started(processor().concurrency(1).process(this::slowly));
        assertThat(logged()).hasSize(1);
        StepVerifier.withVirtualTime(() -> processor.drain(Duration.ofSeconds(1)), () -> time, Long.MAX_VALUE)
                .expectSubscription().expectNoEvent(Duration.ofMillis(99)).thenAwait(Duration.ofMillis(1))
                .expectComplete().verify(Duration.ofSeconds(10));
        assertThat(logged()).isEmpty();
        assertThat(processor.status()).extracting(ProcessorStatus::state, ProcessorStatus::behind)
                .containsExactly(ProcessorStatus.State.STOPPED, 1);
    }

    @Test
    void aDrainCancelsWhatTakesLongerThanItsGrace() {
        view.list(Map.of("a", "1"));
        var cancelled = new AtomicInteger();
        RowProcessor<String> processor = started(processor().process(row -> Mono.never().doOnCancel(cancelled::incrementAndGet)));
        StepVerifier.withVirtualTime(() -> processor.drain(Duration.ofSeconds(1)), () -> time, Long.MAX_VALUE)
                .thenAwait(Duration.ofSeconds(1)).expectComplete().verify(Duration.ofSeconds(10));
        assertThat(cancelled).hasValue(1);
    }

    @Test
    void completesWhenTheViewHasAndItsRowsAreFinished() {
        view.list(Map.of("a", "1"));
        StepVerifier.withVirtualTime(() -> processor().process(this::slowly).run(), () -> time, Long.MAX_VALUE)
                .expectSubscription().then(view::stop).expectNoEvent(Duration.ofMillis(99)).thenAwait(Duration.ofMillis(1))
                .expectNextCount(1).expectComplete().verify(Duration.ofSeconds(10));
    }

    @Test
    void completesOnlyWhenAlsoTheFailedRowsAreFinished() {
        view.list(Map.of("a", "1", "b", "1"));
        var tries = new AtomicInteger();
        StepVerifier.withVirtualTime(() -> processor().process(row -> row.key().equals("a") && tries.incrementAndGet() < 3
                ? Mono.error(new IllegalStateException("not yet")) : atOnce(row)).run(), () -> time, Long.MAX_VALUE)
                .expectNextCount(2).then(() -> view.recreate("b", "2")).expectNextCount(2).then(view::stop)
                .expectNoEvent(Duration.ofMillis(100)).expectNextCount(1).expectNoEvent(Duration.ofMillis(200)).expectNextCount(1)
                .expectComplete().verify(Duration.ofSeconds(10));
        assertThat(log).contains("a: 1", "b: 1 -> gone OBSERVED", "b: 2");
    }

    @Test
    void aRowThatChangesDuringEachWorkIsSyncedAndHealthy() {
        view.list(Map.of("hot", "0"));
        var fails = new AtomicInteger(1);
        RowProcessor<String> processor = started(processor().process(row -> fails.getAndDecrement() > 0
                ? Mono.error(new IllegalStateException("once")) : slowly(row)));
        for (int i = 1; i < 50; i++) {
            pass(30);
            view.put("hot", "" + i);
        }
        assertThat(processor.status()).extracting(ProcessorStatus::state, ProcessorStatus::failing, ProcessorStatus::behind)
                .containsExactly(ProcessorStatus.State.WORKING, 0, 1);
        assertThat(processor.status().behindSince()).as("not since the first change").isAfter("1970-01-01T00:00:01Z");
    }

    @Test
    void anEndBeforeItIsSyncedFailsThat() {
        view.put("a", "1");
        RowProcessor<String> processor = started(processor().process(this::slowly));
        processor.close();
        StepVerifier.create(processor.synced()).expectErrorMessage("table was closed before it was synced").verify(Duration.ofSeconds(10));
        assertThat(processor.status().healthy()).isFalse();
        TestView<String, String> another = TestView.create();
        RowProcessor<String> stopped = started(RowProcessor.of("stopped", another).process(this::slowly));
        another.stop();
        StepVerifier.create(stopped.synced()).expectErrorMessage("the view of stopped has ended before it was synced")
                .verify(Duration.ofSeconds(10));
    }

    @Test
    void aBatchIsTriedAFewTimesWhileAllFails() {
        Map<String, String> rows = new HashMap<>();
        for (int i = 0; i < 512; i++) {
            rows.put("row-" + i, "1");
        }
        view.list(rows);
        var tries = new AtomicInteger();
        RowProcessor<String> processor = started(processor().concurrency(1).processBatches(512, Duration.ofMillis(50), batch ->
                Mono.error(new IllegalStateException("down, asked " + tries.incrementAndGet()))));
        pass(50);
        assertThat(tries).hasValue(19);
        assertThat(processor.status().failing()).isEqualTo(512);
    }

    @Test
    void failsWhenTheViewDoes() {
        view.list(Map.of("a", "1"));
        RowProcessor<String> processor = started(processor().process(this::slowly));
        view.giveUp(new TransportException("the server is gone", null));
        time.advanceTime();
        assertThat(processor.status().end()).hasMessageContaining("the server is gone");
        assertThat(processor.status().healthy()).isFalse();
    }

    @Test
    void mayBlock() {
        VirtualTimeScheduler.reset();
        view.list(Map.of("web", "s1"));
        RowProcessor<String> processor = processor().processBlocking(row -> Mono.delay(Duration.ofMillis(1)).block());
        processor.start();
        processor.synced().block(Duration.ofSeconds(30));
        processor.close();
    }

    @Test
    void aBatchHasTheRowsOfATime() {
        view.list(Map.of());
        List<Integer> sizes = new ArrayList<>();
        started(processor().concurrency(1).processBatches(3, Duration.ofMillis(50), rows -> {
            sizes.add(rows.size());
            return Mono.delay(WORK);
        }));
        for (int i = 0; i < 4; i++) {
            view.put("row-" + i, "1");
        }
        time.advanceTime();
        assertThat(sizes).as("full").containsExactly(3);
        pass(99);
        assertThat(sizes).as("one at a time").hasSize(1);
        pass(50);
        assertThat(sizes).as("waits for others").hasSize(1);
        pass(1);
        assertThat(sizes).as("the time is over").containsExactly(3, 1);
    }

    @Test
    void aRowThatFailsABatchFailsAlone() {
        Map<String, String> rows = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            rows.put("row-" + i, "1");
        }
        view.list(rows);
        Map<String, String> table = new HashMap<>();
        Function<List<RowChange<String, String>>, Mono<?>> insert = batch -> batch.stream().anyMatch(row -> row.key().equals("row-42"))
                ? Mono.error(new IllegalStateException("row-42 is malformed"))
                : Mono.fromRunnable(() -> batch.forEach(row -> table.put(row.key(), row.object())));
        RowProcessor<String> processor = started(processor().processBatches(100, Duration.ofMillis(50), insert));
        pass(50);
        assertThat(table).hasSize(99);
        assertThat(processor.status().failures()).extracting(ProcessorStatus.Failing::key).containsExactly("row-42");
    }

    @Test
    void namesAndLimitsAreChecked() {
        assertThatThrownBy(() -> RowProcessor.of("a/b", view)).hasMessageContaining("was \"a/b\"");
        assertThatThrownBy(() -> processor().concurrency(0)).hasMessageContaining("was 0");
        assertThatThrownBy(() -> processor().timeout(Duration.ZERO)).hasMessageContaining("was PT0S");
        assertThatThrownBy(() -> processor().processBatches(0, Duration.ZERO, rows -> Mono.empty())).hasMessageContaining("was 0");
    }
}
