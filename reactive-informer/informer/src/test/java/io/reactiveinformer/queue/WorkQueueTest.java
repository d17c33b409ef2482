package io.reactiveinformer.queue;

import java.lang.ref.PhantomReference;
import java.lang.ref.ReferenceQueue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.scheduler.Schedulers;
import reactor.test.StepVerifier;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/**
 * Which worker runs which key, and which subscriber takes keys. Numbers with a § are of client-go's semantics 8.10, others of the stream
 * scenarios.
 */
class WorkQueueTest extends WorkQueueFixture {

    @Test // §169
    void aKeyIsInLineOnce() {
        queue.add("a");
        queue.add("b");
        queue.add("a");
        assertThat(queue.size()).isEqualTo(2);
        work(5);
        assertThat(begun()).containsExactly("a", "b");
        assertThat(queue.size()).isZero();
    }

    @Test // §168, §172
    void aKeyThatIsAddedWhileItIsWorkedOnIsWorkedOnOnceMoreAfterwards() {
        work(5);
        queue.add("a");
        queue.add("a");
        queue.add("a");
        assertThat(begun()).containsExactly("a");
        assertThat(queue.size()).as("what is ready only").isZero();
        finish("a");
        assertThat(begun()).containsExactly("a");
        finish("a");
        assertThat(begun()).isEmpty();
    }

    @Test
    void whatIsAddedBeforeTheWorkBeginsNeedsNoWorkOfItsOwn() {
        List<Runnable> workers = new ArrayList<>();
        try (WorkQueue<String> busy = WorkQueue.create(options.withWorkers(Schedulers.fromExecutor(workers::add)))) {
            work(busy, 1);
            busy.add("a");
            assertThat(begun()).as("taken, and waiting for a thread").isEmpty();
            busy.add("a");
            workers.remove(0).run();
            assertThat(begun()).containsExactly("a");
            finish("a");
            assertThat(workers).isEmpty();

            busy.add("a");
            workers.remove(0).run();
            busy.add("a");
            finish("a");
            workers.remove(0).run();
            assertThat(begun()).as("added while it was worked on").containsExactly("a", "a");
        }
    }

    @Test
    void whatIsAddedBeforeTheWorkBeginsStaysIfTheKeyIsHeld() {
        List<Runnable> workers = new ArrayList<>();
        try (WorkQueue<String> busy = WorkQueue.create(options.withWorkers(Schedulers.fromExecutor(workers::add)))) {
            work(busy, 1);
            busy.add("a");
            busy.hold("a");
            busy.add("a");
            workers.remove(0).run();
            finish("a");
            assertThat(begun()).containsExactly("a");
            busy.release("a");
            workers.remove(0).run();
            assertThat(begun()).containsExactly("a");
        }
    }

    @Test // §170
    void aKeyThatIsDoneCanComeAgain() {
        work(1);
        queue.add("a");
        finish("a");
        queue.add("a");
        assertThat(begun()).containsExactly("a", "a");
    }

    @Test // 117
    void noMoreKeysAreWorkedOnAtATimeThanAskedFor() {
        work(2);
        List.of("a", "b", "c", "d").forEach(queue::add);
        assertThat(begun()).containsExactly("a", "b");
        finish("b");
        assertThat(begun()).containsExactly("c");
        assertThat(queue.size()).isEqualTo(1);
    }

    @Test
    void whoTakesTogetherSharesTheKeys() {
        work(1);
        work(1);
        List.of("a", "b", "c").forEach(queue::add);
        assertThat(begun()).containsExactly("a", "b");
        finish("a");
        assertThat(begun()).containsExactly("c");
    }

    @Test
    void keysInTheHandsOfWhoCancelsAreInLineAgain() {
        Disposable first = work(2);
        List.of("a", "b", "c").forEach(queue::add);
        first.dispose();
        working.clear();
        assertThat(queue.size()).isEqualTo(3);
        assertThat(queue.unfinished().keys()).isZero();
        work(9);
        assertThat(begun()).containsExactlyInAnyOrder("a", "b", "a", "b", "c");
    }

    @Test
    void noMoreIsWorkedOnThanOutcomesAreWanted() {
        var slow = new BaseSubscriber<WorkQueue.Outcome<String>>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {}
        };
        queue.process(1, key -> Mono.fromSupplier(() -> {
            begun.add(key);
            return Result.done();
        })).subscribe(slow);
        List.of("a", "b", "c", "d").forEach(queue::add);
        assertThat(begun()).as("the one that waits to be announced").containsExactly("a");
        slow.request(1);
        assertThat(begun()).containsExactly("b");
    }

    @Test
    void whoCancelsIsRidOfItsWorkBeforeAnotherBeginsIt() {
        List<String> events = new ArrayList<>();
        Disposable first = queue.process(1, key -> Mono.<Result>never().doOnCancel(() -> events.add("first over"))).subscribe();
        queue.process(1, key -> Mono.<Result>never().doOnSubscribe(s -> events.add("second begins"))).subscribe();
        queue.add("a");
        first.dispose();
        assertThat(events).containsExactly("first over", "second begins");
    }

    @Test
    void whoCancelsBeforeItHasJoinedIsNotKept() {
        queue.process(1, key -> Mono.just(Result.done())).take(0).subscribe();
        queue.add("a");
        work(1);
        assertThat(begun()).containsExactly("a");
    }

    @Test
    void workThatSucceedsEndsAndIsNotCancelled() {
        List<SignalType> ends = new ArrayList<>();
        queue.process(1, key -> Mono.just(Result.done()).doFinally(ends::add)).subscribe(outcomes::add);
        queue.process(1, key -> Mono.<Result>error(new IllegalStateException("away")).doFinally(ends::add)).subscribe(outcomes::add);
        List.of("a", "b").forEach(queue::add);
        assertThat(ends).containsExactly(SignalType.ON_COMPLETE, SignalType.ON_ERROR);
    }

    @Test // 109
    void fiveThousandKeysThatAskToRunAgainAtOnceAllDo() {
        int[] worked = new int[1];
        queue.process(8, key -> Mono.fromSupplier(() -> worked[0]++ < 50_000 ? Result.again(Duration.ZERO) : Result.done())).subscribe();
        IntStream.range(0, 5_000).forEach(i -> queue.add("k" + i));
        assertThat(worked[0]).isEqualTo(55_000);
        assertThat(queue.size()).isZero();
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> queue.process(0, key -> Mono.empty())).hasMessageContaining("at least 1, was 0");
        assertThatThrownBy(() -> Result.again(ofSeconds(-1))).hasMessageContaining("negative");
        assertThatThrownBy(() -> options.withHeadStart(Duration.ZERO)).hasMessageContaining("headStart");
        assertThatThrownBy(() -> queue.add(null)).hasMessageContaining("key");
    }

    @Test // §177
    void whatIsDoneIsNotReferencedAnyMore() throws InterruptedException {
        ReferenceQueue<Object> gone = new ReferenceQueue<>();
        WorkQueue<Object> forgetful = WorkQueue.create(WorkQueueOptions.defaults().withWorkers(Schedulers.immediate())
                .withTimer(Schedulers.immediate()));
        forgetful.process(1, key -> Mono.just(Result.done())).subscribe();
        PhantomReference<Object> key = addOne(forgetful, gone);
        for (int i = 0; i < 100 && gone.poll() != key; i++) {
            System.gc();
            assertThat(i).as("collections").isLessThan(99);
        }
        forgetful.add("the queue is still there");
    }

    private static PhantomReference<Object> addOne(WorkQueue<Object> queue, ReferenceQueue<Object> gone) {
        Object key = new Object();
        queue.add(key);
        return new PhantomReference<>(key, gone);
    }

    /** There is no ParallelizeUntil here: pieces are keys, and workers the concurrency; who has no keys takes {@code Flux.flatMap}. */
    @ParameterizedTest // §186
    @CsvSource({"1000, 10", "1000, 100", "999, 13", "555, 55", "3, 100", "1, 1"})
    void eachOfManyPiecesIsWorkedOnOnce(int pieces, int workers) {
        WorkQueue<Integer> queue = WorkQueue.create(WorkQueueOptions.<Integer>defaults().withWorkers(time).withTimer(time));
        int[] worked = new int[pieces];
        int[] together = new int[2];
        IntStream.range(0, pieces).forEach(queue::add);
        queue.shutDown();
        StepVerifier.create(queue.process(workers, piece -> Mono.fromSupplier(() -> {
                    worked[piece]++;
                    together[1] = Math.max(together[1], ++together[0]);
                    return Result.done();
                }).delayElement(ofMillis(1), time).doOnTerminate(() -> together[0]--)).then())
                .then(() -> time.advanceTimeBy(ofMillis(pieces)))
                .expectComplete().verify(ofSeconds(10));
        assertThat(worked).containsOnly(1);
        assertThat(together[1]).isEqualTo(Math.min(pieces, workers));
    }
}
