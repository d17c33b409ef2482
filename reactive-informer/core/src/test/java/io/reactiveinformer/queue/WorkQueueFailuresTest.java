package io.reactiveinformer.queue;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
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
