package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

/** What becomes of a key whose work fails. Numbers with a § are of client-go's semantics 8.10, others of the stream scenarios. */
class WorkQueueFailuresTest extends WorkQueueFixture {

    @Test // §184, 110
    void aKeyThatFailsWaitsLongerEachTimeUntilItSucceeds() {
        work(1);
        queue.add("a");
        for (int delay : new int[] {5, 10, 20, 40}) {
            assertThat(begun()).containsExactly("a");
            finish("a", Result.failed(new IllegalStateException("away")));
            time.advanceTimeBy(ofMillis(delay - 1));
            assertThat(begun()).isEmpty();
            time.advanceTimeBy(ofMillis(1));
        }
        assertThat(queue.retries("a")).isEqualTo(4);
        finish("a");
        assertThat(queue.retries("a")).isZero();
        assertThat(outcomes).extracting(WorkQueue.Outcome::retries).containsExactly(0, 1, 2, 3, 4);
    }

    /** Woken ten times a second for two seconds, each look counted as a pause that was waited: 5 ms became 17 minutes. */
    @Test
    void aLookThatSomethingElseCausedDoesNotLengthenThePause() {
        queue.process(1, key -> Mono.just(Result.failed(new IllegalStateException("away")))).subscribe(outcomes::add);
        queue.add("a");
        for (int i = 0; i < 20; i++) {
            time.advanceTimeBy(ofMillis(100));
            queue.add("a");
        }
        outcomes.clear();
        time.advanceTimeBy(ofMillis(2_005));
        assertThat(outcomes).as("a pause is at most as long as the key has failed").isNotEmpty();
    }

    @Test
    void aFailedLookDuringAPauseLeavesItsEndWhereItWas() {
        List<Duration> retried = new ArrayList<>();
        WorkQueue<String> observed = WorkQueue.create(options.withLimiter(RateLimiter.exponential(ofSeconds(1), ofDays(1)))
                .withObserver(new WorkQueue.Observer() {
                    @Override
                    public void retried(Duration delay) {
                        retried.add(delay);
                    }
                }));
        work(observed, 1);
        observed.add("a");
        fail("a");
        time.advanceTimeBy(ofMillis(300));
        observed.add("a");
        fail("a");
        observed.addAfter("a", ofMillis(300));
        time.advanceTimeBy(ofMillis(300));
        fail("a");
        assertThat(retried).containsExactly(ofSeconds(1), ofMillis(700), ofMillis(400));
        assertThat(observed.retries("a")).as("nor does it count").isEqualTo(1);
        time.advanceTimeBy(ofMillis(400));
        fail("a");
        assertThat(retried.get(3)).as("the pause was waited").isEqualTo(ofSeconds(2));
        observed.add("a");
        finish("a");
        observed.add("a");
        fail("a");
        assertThat(retried.get(4)).as("after a success, a pause of its own").isEqualTo(ofSeconds(1));
        observed.forget("a");
        observed.add("a");
        fail("a");
        assertThat(retried.get(5)).as("forgotten, with its pause").isEqualTo(ofSeconds(1));
        observed.cancelDelay("a");
        observed.add("a");
        fail("a");
        assertThat(retried.get(6)).as("a pause that was dropped does not go on").isEqualTo(ofSeconds(2));
    }

    @Test
    void aKeyThatIsWokenWhileItFailsKeepsItsPause() {
        work(1);
        queue.add("a");
        for (int i = 0; i < 30; i++) {
            queue.add("a", 1);
            queue.addAfter("a", ofMillis(1));
            begun();
            time.advanceTimeBy(ofMillis(1)); // while it is worked on
            queue.add("a");
            fail("a");
        }
        assertThat(queue.retries("a")).as("waited 5 and 10 ms of the 30").isEqualTo(3);
        fail("a");
        time.advanceTimeBy(ofMillis(20));
        assertThat(begun()).isNotEmpty();
    }

    /**
     * Whatever wakes a key, the pause after a failure is no longer than the key has been failing, and {@code first}. Planted, and caught
     * by the first seed: each failure counts; a failure during a pause begins that pause anew.
     */
    @Test
    void aPauseIsNeverLongerThanTheKeyHasBeenFailing() {
        for (long seed = 1; seed <= 300; seed++) {
            var random = new SplittableRandom(seed);
            List<Duration> retried = new ArrayList<>();
            WorkQueue<String> observed = WorkQueue.create(options.withLimiter(RateLimiter.exponential(ofMillis(5), ofDays(1)))
                    .withObserver(new WorkQueue.Observer() {
                        @Override
                        public void retried(Duration delay) {
                            retried.add(delay);
                        }
                    }));
            observed.process(1, key -> Mono.delay(ofMillis(random.nextInt(8)), time).thenReturn(
                    Result.failed(new IllegalStateException("away")))).subscribe();
            long since = time.now(TimeUnit.MILLISECONDS);
            observed.add("a");
            for (int step = 0; step < 60; step++) {
                time.advanceTimeBy(ofMillis(random.nextInt(random.nextInt(10) == 0 ? 2_000 : 40)));
                long failing = time.now(TimeUnit.MILLISECONDS) - since;
                assertThat(retried).as("seed %s", seed).allMatch(pause -> pause.toMillis() <= failing + 5);
                switch (random.nextInt(3)) {
                    case 0 -> observed.add("a");
                    case 1 -> observed.addAfter("a", ofMillis(random.nextInt(30)));
                    default -> { }
                }
            }
            assertThat(observed.retries("a")).as("pauses that were waited count, seed %s", seed).isGreaterThan(3);
            observed.close();
        }
    }

    private void fail(String key) {
        assertThat(working).as("worked on").containsKey(key);
        finish(key, Result.failed(new IllegalStateException("away")));
    }

    @Test // 119
    void aFunctionThatThrowsIsAFailure() {
        queue.process(1, key -> {
            throw new IllegalStateException("thrown");
        }).subscribe(outcomes::add);
        queue.add("a");
        assertThat(outcomes).singleElement().satisfies(outcome ->
                assertThat(outcome.result())
                        .isInstanceOfSatisfying(Result.Failed.class, failed -> assertThat(failed.cause()).hasMessage("thrown")));
        assertThat(queue.delayed()).isEqualTo(1);
    }

    @Test // 111
    void whatIsGivenUpIsNotTriedAgain() {
        work(1);
        queue.add("a");
        finish("a", Result.failed(new IllegalStateException("away")));
        time.advanceTimeBy(ofMillis(5));
        finish("a", Result.givenUp(new IllegalStateException("refused")));
        time.advanceTimeBy(ofDays(1));
        assertThat(begun()).containsExactly("a", "a");
        assertThat(queue.retries("a")).isZero();
    }

    @Test
    void anEmptyMonoIsDone() {
        queue.process(1, key -> Mono.empty()).subscribe(outcomes::add);
        queue.add("a");
        assertThat(outcomes).extracting(WorkQueue.Outcome::result).containsExactly(Result.done());
    }

    @Test
    void workersThatAreShutDownAreAFailureOfTheKey() {
        Scheduler over = Schedulers.newSingle("over");
        over.dispose();
        WorkQueue<String> refused = WorkQueue.create(options.withWorkers(over));
        refused.process(1, key -> Mono.just(Result.done())).subscribe(outcomes::add);
        refused.add("a");
        assertThat(outcomes).singleElement().satisfies(outcome -> assertThat(outcome.result()).isInstanceOf(Result.Failed.class));
        assertThat(refused.delayed()).isEqualTo(1);
    }

    @Test // 119
    void aClassThatIsMissingIsAFailureOfTheKey() {
        queue.process(1, key -> {
            throw new NoClassDefFoundError("gone");
        }).subscribe(outcomes::add);
        queue.add("a");
        assertThat(outcomes).singleElement().satisfies(outcome ->
                assertThat(outcome.result())
                        .isInstanceOfSatisfying(Result.Failed.class, failed -> assertThat(failed.cause()).hasMessageContaining("gone")));
    }

    @Test
    void workThatThrowsWhatIsFatalToReactorIsAFailureOfTheKey() {
        for (Error fatal : List.of(new NoClassDefFoundError("gone"), new StackOverflowError("deep"))) {
            Disposable working = queue.process(1, key -> Mono.fromCallable(() -> {
                throw fatal;
            })).subscribe(outcomes::add);
            queue.add("a");
            working.dispose();
            assertThat(outcomes).singleElement().satisfies(outcome ->
                    assertThat(outcome.result())
                            .isInstanceOfSatisfying(Result.Failed.class, failed -> assertThat(failed.cause()).hasCause(fatal)));
            assertThat(queue.unfinished().keys()).isZero();
            assertThat(queue.cancelDelay("a")).as("is tried again").isTrue();
            outcomes.clear();
        }
    }

    @Test
    void aLimiterThatThrowsEndsWhoWorksAndLosesNoKey() {
        List<Throwable> failures = new ArrayList<>();
        WorkQueue<String> broken = WorkQueue.create(options.withLimiter(RateLimiter.longerOf(RateLimiter.standard(time), null)));
        broken.process(1, key -> Mono.error(new IllegalStateException("away"))).subscribe(outcomes::add, failures::add);
        broken.add("a");
        assertThat(failures).hasSize(1);
        assertThat(broken.unfinished().keys()).isZero();
        assertThat(broken.size()).isEqualTo(1);
    }
}
