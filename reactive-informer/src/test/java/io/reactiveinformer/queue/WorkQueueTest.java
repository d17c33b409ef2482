package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Mono;
import reactor.core.publisher.SignalType;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Numbers with a § are of client-go's semantics 8.10, others of the stream scenarios. All in virtual time. */
class WorkQueueTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final WorkQueueOptions<String> options =
            WorkQueueOptions.<String>defaults().withLimiter(RateLimiter.exponential(ofMillis(5), ofSeconds(1_000))).withWorkers(time).withTimer(time);
    private final WorkQueue<String> queue = WorkQueue.create(options);

    /** Keys whose work has begun, in order; their work is over when the test says so. */
    private final List<String> begun = new ArrayList<>();

    private final Map<String, Sinks.One<Result>> working = new LinkedHashMap<>();
    private final List<Outcome<String>> outcomes = new ArrayList<>();

    @AfterEach
    void end() {
        time.dispose();
    }

    private Disposable work(WorkQueue<String> of, int concurrency) {
        return of.process(concurrency, key -> {
            begun.add(key);
            Sinks.One<Result> result = Sinks.one();
            assertThat(working.put(key, result)).as("%s is worked on once at a time", key).isNull();
            return result.asMono();
        }).subscribe(outcomes::add);
    }

    private Disposable work(int concurrency) {
        return work(queue, concurrency);
    }

    private void finish(String key, Result result) {
        working.remove(key).tryEmitValue(result).orThrow();
    }

    private void finish(String key) {
        finish(key, Result.done());
    }

    private List<String> begun() {
        List<String> since = List.copyOf(begun);
        begun.clear();
        return since;
    }

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

    @Test // §178, §180
    void delayedKeysComeWhenTheyAreDueInThatOrder() {
        work(9);
        queue.addAfter("late", ofSeconds(1));
        queue.addAfter("early", ofMillis(50));
        queue.addAfter("middle", ofMillis(500));
        queue.addAfter("now", Duration.ZERO);
        assertThat(begun()).containsExactly("now");
        assertThat(queue.delayed()).isEqualTo(3);
        time.advanceTimeBy(ofMillis(49));
        assertThat(begun()).isEmpty();
        time.advanceTimeBy(ofMillis(1));
        assertThat(begun()).containsExactly("early");
        time.advanceTimeBy(ofSeconds(1));
        assertThat(begun()).containsExactly("middle", "late");
    }

    @Test
    void ofTwoDelaysTheEarlierCounts() {
        work(1);
        queue.addAfter("a", ofSeconds(10));
        queue.addAfter("a", ofSeconds(1));
        queue.addAfter("a", ofSeconds(20));
        time.advanceTimeBy(ofSeconds(1));
        assertThat(begun()).containsExactly("a");
        finish("a");
        time.advanceTimeBy(ofSeconds(30));
        assertThat(begun()).isEmpty();
    }

    @Test
    void aDelayCanBeCancelled() {
        work(1);
        queue.addAfter("a", ofSeconds(1));
        assertThat(queue.cancelDelay("a")).isTrue();
        assertThat(queue.cancelDelay("a")).isFalse();
        time.advanceTimeBy(ofSeconds(2));
        assertThat(begun()).isEmpty();
    }

    @Test // 112
    void anAdditionComesInPlaceOfADelay() {
        work(1);
        queue.addAfter("a", ofSeconds(1));
        queue.add("a");
        finish("a");
        time.advanceTimeBy(ofSeconds(2));
        assertThat(begun()).containsExactly("a");
    }

    @Test // 107
    void aDelayWithoutEndIsAYear() {
        work(1);
        queue.addAfter("a", ofSeconds(Long.MAX_VALUE));
        time.advanceTimeBy(ofDays(365));
        assertThat(begun()).containsExactly("a");
    }

    @Test // 112
    void againComesAfterItsDelayUnlessTheKeyIsAddedBefore() {
        work(1);
        queue.add("a");
        finish("a", Result.again(ofSeconds(10)));
        time.advanceTimeBy(ofSeconds(9));
        assertThat(begun()).containsExactly("a");
        time.advanceTimeBy(ofSeconds(1));
        assertThat(begun()).containsExactly("a");
        queue.add("a");
        finish("a", Result.again(ofSeconds(10)));
        assertThat(begun()).as("added during the run").containsExactly("a");
        finish("a");
        time.advanceTimeBy(ofSeconds(20));
        assertThat(begun()).isEmpty();
    }

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
        assertThat(outcomes).extracting(Outcome::retries).containsExactly(0, 1, 2, 3, 4);
    }

    @Test // 119
    void aFunctionThatThrowsIsAFailure() {
        queue.process(1, key -> {
            throw new IllegalStateException("thrown");
        }).subscribe(outcomes::add);
        queue.add("a");
        assertThat(outcomes).singleElement().satisfies(outcome ->
                assertThat(outcome.result()).isInstanceOfSatisfying(Result.Failed.class, failed -> assertThat(failed.cause()).hasMessage("thrown")));
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
        assertThat(outcomes).extracting(Outcome::result).containsExactly(Result.done());
    }

    @Test
    void ahigherPriorityGoesFirst() {
        queue.add("low", -1);
        queue.add("a");
        queue.add("b");
        queue.add("high", 1);
        queue.add("b", 2);
        work(9);
        assertThat(begun()).containsExactly("b", "high", "a", "low");
    }

    @Test // 105
    void aLowPriorityIsServedInTheEnd() {
        queue.add("low", -1);
        work(1);
        queue.add("first");
        finish("low");
        queue.add("low", -1);
        int before = 0;
        for (int i = 0; !begun.contains("low") || begun.indexOf("low") == begun.lastIndexOf("low"); i++) {
            queue.add("urgent-" + i);
            time.advanceTimeBy(ofSeconds(1));
            finish(begun.get(begun.size() - 1));
            before = i;
        }
        assertThat(before).as("turns of urgent keys before it").isBetween(8, 12);
    }

    @Test
    void classesTakeTurns() {
        WorkQueue<String> fair = WorkQueue.create(options.withClasses(key -> key.charAt(0)));
        List.of("a1", "a2", "a3", "b1", "c1", "a4", "b2").forEach(fair::add);
        work(fair, 9);
        assertThat(begun()).containsExactly("a1", "b1", "c1", "a2", "b2", "a3", "a4");
    }

    @Test // §173, §176, 106
    void shutDownServesWhatIsThereAndThenCompletes() {
        List<String> ended = new ArrayList<>();
        queue.process(1, key -> {
            begun.add(key);
            working.put(key, Sinks.one());
            return working.get(key).asMono();
        }).doOnComplete(() -> ended.add("process")).subscribe();
        List.of("a", "b").forEach(queue::add);
        queue.addAfter("delayed", ofSeconds(1));
        queue.drain().doOnSuccess(done -> ended.add("drain")).subscribe();
        queue.add("c");
        queue.add("a");
        time.advanceTimeBy(ofSeconds(2));
        assertThat(begun()).containsExactly("a");
        finish("a", Result.again(ofSeconds(1)));
        assertThat(begun()).containsExactly("b");
        assertThat(ended).isEmpty();
        finish("b", Result.failed(new IllegalStateException("away")));
        assertThat(ended).containsExactlyInAnyOrder("process", "drain");
        assertThat(queue.delayed()).isZero();
    }

    @Test // §176
    void aKeyThatWasDirtyWhenTheQueueShutDownIsWorkedOnOnceMore() {
        work(1);
        queue.add("a");
        queue.add("a");
        queue.shutDown();
        finish("a");
        assertThat(begun()).containsExactly("a", "a");
    }

    @Test // §174
    void closeDropsWhatWaitsAndLetsWorkEnd() {
        List<String> ended = new ArrayList<>();
        Sinks.One<Result> result = Sinks.one();
        queue.process(1, key -> result.asMono().doOnSubscribe(s -> begun.add(key))).doOnComplete(() -> ended.add("process")).subscribe(outcomes::add);
        List.of("a", "b").forEach(queue::add);
        queue.add("a");
        queue.close();
        assertThat(ended).isEmpty();
        result.tryEmitValue(Result.done());
        assertThat(begun()).containsExactly("a");
        assertThat(outcomes).hasSize(1);
        assertThat(ended).containsExactly("process");
    }

    @Test
    void whoComesAfterTheEndIsDoneAtOnce() {
        queue.shutDown();
        queue.add("a");
        assertThat(queue.process(1, key -> Mono.just(Result.done())).collectList().block()).isEmpty();
        assertThat(queue.size()).isZero();
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
        var slow = new BaseSubscriber<Outcome<String>>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {}
        };
        queue.process(1, key -> Mono.fromSupplier(() -> {
            begun.add(key);
            return Result.done();
        })).subscribe(slow);
        List.of("a", "b", "c", "d").forEach(queue::add);
        assertThat(begun()).as("the one that waits to be told").containsExactly("a");
        slow.request(1);
        assertThat(begun()).containsExactly("b");
    }

    @Test // §185
    void tellsItsObserverAndWhatIsUnfinished() {
        List<String> heard = new ArrayList<>();
        WorkQueue<String> observed = WorkQueue.create(options.withObserver(new WorkQueueObserver() {
            @Override
            public void added() {
                heard.add("added");
            }

            @Override
            public void taken(Duration waited) {
                heard.add("taken after " + waited);
            }

            @Override
            public void finished(Duration took) {
                heard.add("finished after " + took);
            }

            @Override
            public void retried(Duration delay) {
                heard.add("retried after " + delay);
            }
        }));
        observed.add("a");
        observed.add("a");
        time.advanceTimeBy(ofSeconds(2));
        work(observed, 1);
        time.advanceTimeBy(ofSeconds(3));
        assertThat(observed.unfinished()).isEqualTo(new WorkQueue.Unfinished(1, ofSeconds(3), ofSeconds(3)));
        finish("a", Result.failed(new IllegalStateException("away")));
        assertThat(heard).containsExactly("added", "taken after PT2S", "retried after PT0.005S", "finished after PT3S");
    }

    /** Of 50,000 that became due at once, client-java's queue lost 46,873. */
    @Test
    void aMillionDelayedKeysAllCome() {
        int[] worked = new int[1];
        queue.process(64, key -> Mono.fromSupplier(() -> {
            worked[0]++;
            return Result.done();
        })).subscribe();
        IntStream.range(0, 1_000_000).forEach(i -> queue.addAfter("k" + i, ofMillis(1 + i % 50)));
        assertThat(queue.delayed()).isEqualTo(1_000_000);
        time.advanceTimeBy(ofMillis(50));
        assertThat(worked[0]).isEqualTo(1_000_000);
        assertThat(queue.delayed() + queue.size()).isZero();
    }

    @Test
    void aKeyThatIsInLineIsNotDelayedToo() {
        work(3);
        List.of("a", "b", "c").forEach(queue::add);
        List.of("a", "b", "c").forEach(key -> queue.addAfter(key, ofSeconds(10)));
        finish("a", Result.again(Duration.ZERO));
        List.of("a", "b", "c").forEach(this::finish);
        assertThat(queue.delayed()).isEqualTo(2);
        begun.clear();
        time.advanceTimeBy(ofSeconds(10));
        assertThat(begun()).containsExactlyInAnyOrder("b", "c");
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
                assertThat(outcome.result()).isInstanceOfSatisfying(Result.Failed.class, failed -> assertThat(failed.cause()).hasMessageContaining("gone")));
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

    @Test
    void theHighestPriorityThereIsGoesFirst() {
        queue.add("low", Integer.MIN_VALUE);
        queue.add("a");
        queue.add("high", Integer.MAX_VALUE);
        work(9);
        assertThat(begun()).containsExactly("high", "a", "low");
    }

    @Test
    void whoCancelsBeforeItHasJoinedIsNotKept() {
        queue.process(1, key -> Mono.just(Result.done())).take(0).subscribe();
        queue.add("a");
        work(1);
        assertThat(begun()).containsExactly("a");
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
    void workThatSucceedsEndsAndIsNotCancelled() {
        List<SignalType> ends = new ArrayList<>();
        queue.process(1, key -> Mono.just(Result.done()).doFinally(ends::add)).subscribe(outcomes::add);
        queue.process(1, key -> Mono.<Result>error(new IllegalStateException("away")).doFinally(ends::add)).subscribe(outcomes::add);
        List.of("a", "b").forEach(queue::add);
        assertThat(ends).containsExactly(SignalType.ON_COMPLETE, SignalType.ON_ERROR);
    }

    @Test
    void aKeyThatComesAgainKeepsItsPriority() {
        Disposable first = work(1);
        queue.add("urgent", 1);
        queue.add("a");
        finish("urgent", Result.failed(new IllegalStateException("away")));
        queue.add("b");
        time.advanceTimeBy(ofMillis(5));
        finish("a");
        assertThat(begun()).as("failed").containsExactly("urgent", "a", "urgent");
        finish("urgent", Result.again(Duration.ZERO));
        assertThat(begun()).as("again").containsExactly("urgent");
        first.dispose();
        working.clear();
        work(1);
        assertThat(begun()).as("cancelled").containsExactly("urgent");
        queue.add("urgent", -1);
        finish("urgent", Result.failed(new IllegalStateException("away")));
        assertThat(begun()).as("failed, and told meanwhile").containsExactly("urgent");
        queue.add("urgent", -1);
        finish("urgent");
        assertThat(begun()).as("done, so that only what was told meanwhile counts").containsExactly("b");
    }

    @Test
    void anAdditionKeepsThePriorityOfTheDelayThatItComesInPlaceOf() {
        work(1);
        queue.add("urgent", 1);
        List.of("a", "b").forEach(queue::add);
        finish("urgent", Result.failed(new IllegalStateException("away")));
        queue.add("urgent", -1);
        finish("a");
        assertThat(begun()).containsExactly("urgent", "a", "urgent");
    }

    @Test
    void aHigherPriorityDoesNotCostItsClassTheTurn() {
        WorkQueue<String> fair = WorkQueue.create(options.withClasses(key -> key.charAt(0)));
        List.of("a1", "b1").forEach(fair::add);
        fair.add("a1", 1);
        work(fair, 9);
        assertThat(begun()).containsExactly("a1", "b1");
    }

    @Test
    void aKeyThatIsHeldComesWhenItIsReleased() {
        work(9);
        queue.add("a");
        queue.hold("a");
        queue.add("a");
        finish("a");
        queue.addAfter("a", ofSeconds(1));
        time.advanceTimeBy(ofSeconds(2));
        assertThat(begun()).containsExactly("a");
        assertThat(queue.size()).isZero();
        queue.release("a");
        queue.release("a");
        assertThat(begun()).containsExactly("a");
        finish("a");
        assertThat(begun()).isEmpty();
        queue.hold("b");
        queue.release("b");
        queue.add("b");
        assertThat(begun()).as("released before").containsExactly("b");
    }

    @Test
    void aKeyThatIsHeldInLineIsThereOnce() {
        queue.add("a");
        queue.hold("a");
        queue.add("a", 1);
        queue.release("a");
        assertThat(queue.size()).isEqualTo(1);
        work(2);
        assertThat(begun()).containsExactly("a");
        finish("a");
        queue.add("b");
        assertThat(begun()).as("the queue goes on").containsExactly("b");
    }

    @Test
    void keysThatAreHeldWhenTheQueueShutsDownAreServed() {
        List<String> ended = new ArrayList<>();
        queue.hold("a");
        queue.add("a");
        work(1);
        queue.drain().doOnSuccess(done -> ended.add("drain")).subscribe();
        assertThat(begun()).containsExactly("a");
        queue.hold("a");
        finish("a");
        assertThat(ended).containsExactly("drain");
    }

    @Test
    void howManyAreInLineFollowsFromWhatTheObserverIsTold() {
        int[] inLine = new int[2];
        WorkQueue<String> observed = WorkQueue.create(options.withObserver(new WorkQueueObserver() {
            @Override
            public void added() {
                inLine[0]++;
            }

            @Override
            public void taken(Duration waited) {
                inLine[0]--;
            }

            @Override
            public void dropped(int keys, int delayed) {
                inLine[0] -= keys;
                inLine[1] += delayed;
            }
        }));
        Disposable first = work(observed, 2);
        List.of("a", "b", "c").forEach(observed::add);
        finish("a", Result.again(Duration.ZERO));
        assertThat(inLine[0]).as("one taken, one again").isEqualTo(1);
        first.dispose();
        working.clear();
        assertThat(inLine[0]).as("given back").isEqualTo(3).isEqualTo(observed.size());
        work(observed, 1);
        observed.add(begun.get(begun.size() - 1));
        observed.addAfter("later", ofSeconds(1));
        observed.close();
        assertThat(inLine).containsExactly(0, 1);
    }

    @Test
    void theTimerOfTheQueueIsThatOfItsUsualLimiter() {
        List<Duration> delays = new ArrayList<>();
        WorkQueue<String> observed = WorkQueue.create(WorkQueueOptions.<String>defaults().withTimer(time).withObserver(new WorkQueueObserver() {
            @Override
            public void retried(Duration delay) {
                delays.add(delay);
            }
        }));
        IntStream.range(0, 101).forEach(i -> observed.addRateLimited("k" + i));
        assertThat(delays.get(100)).as("the burst is used up").isEqualTo(ofMillis(100));
        delays.clear();
        time.advanceTimeBy(ofSeconds(20));
        observed.addRateLimited("late");
        assertThat(delays).as("and filled by the queue's time").containsExactly(ofMillis(5));
    }

    @Test
    void aTimerThatRunsAtOnceFindsTheQueueUnlocked() {
        Object[] locked = new Object[1];
        Scheduler hasty = new Scheduler() {
            @Override
            public Disposable schedule(Runnable task) {
                return schedule(task, 0, TimeUnit.NANOSECONDS);
            }

            @Override
            public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
                assertThat(Thread.holdsLock(locked[0])).isFalse();
                time.advanceTimeBy(Duration.of(delay, unit.toChronoUnit()));
                task.run();
                return Disposables.disposed();
            }

            @Override
            public long now(TimeUnit unit) {
                return time.now(unit);
            }

            @Override
            public Worker createWorker() {
                throw new UnsupportedOperationException();
            }
        };
        WorkQueue<String> queueOfHasty = WorkQueue.create(options.withTimer(hasty));
        locked[0] = queueOfHasty;
        work(queueOfHasty, 1);
        queueOfHasty.addAfter("a", ofSeconds(1));
        assertThat(begun()).containsExactly("a");
        finish("a", Result.again(ofSeconds(1)));
        assertThat(begun()).containsExactly("a");
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> queue.process(0, key -> Mono.empty())).hasMessageContaining("at least 1, was 0");
        assertThatThrownBy(() -> Result.again(ofSeconds(-1))).hasMessageContaining("negative");
        assertThatThrownBy(() -> options.withHeadStart(Duration.ZERO)).hasMessageContaining("headStart");
        assertThatThrownBy(() -> queue.add(null)).hasMessageContaining("key");
    }
}
