package io.reactiveinformer.queue;

import io.reactiveinformer.Rounds;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

import static java.time.Duration.ofDays;
import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

/** When a key comes that is delayed, or held. Numbers with a § are of client-go's semantics 8.10, others of the stream scenarios. */
class WorkQueueDelaysTest extends WorkQueueFixture {

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

    @Test
    void againMayHaveAPriority() {
        work(1);
        queue.add("later", 5);
        finish("later", Result.again(ofSeconds(1), -5));
        queue.add("running", 9);
        assertThat(begun()).containsExactly("later", "running");
        time.advanceTimeBy(ofSeconds(1));
        queue.add("now");
        finish("running");
        finish("now");
        assertThat(begun()).as("a delay that is over, after a key that came later").containsExactly("now", "later");
    }

    /** Of 50,000 that became due at once, client-java's queue lost 46,873. */
    @Test
    @Timeout(300)
    void aMillionDelayedKeysAllCome() {
        int many = Rounds.many(1_000_000, 200_000);
        int[] worked = new int[1];
        queue.process(64, key -> Mono.fromSupplier(() -> {
            worked[0]++;
            return Result.done();
        })).subscribe();
        IntStream.range(0, many).forEach(i -> queue.addAfter("k" + i, ofMillis(1 + i % 50)));
        assertThat(queue.delayed()).isEqualTo(many);
        time.advanceTimeBy(ofMillis(50));
        assertThat(worked[0]).isEqualTo(many);
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
    void theTimerOfTheQueueIsThatOfItsUsualLimiter() {
        List<Duration> delays = new ArrayList<>();
        WorkQueue<String> observed = WorkQueue.create(WorkQueueOptions.<String>defaults().withTimer(time)
                .withObserver(new WorkQueue.Observer() {
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
    void aKeyIsHeldUntilItIsReleasedAsOftenAsItWasHeld() {
        work(1);
        queue.add("a");
        queue.hold("a");
        queue.hold("a");
        finish("a", Result.again(Duration.ZERO));
        queue.release("a");
        assertThat(begun()).containsExactly("a");
        queue.release("a");
        assertThat(begun()).containsExactly("a");
    }

    @Test
    void aHoldThatIsReleasedBeforeTheWorkEndsHoldsNothing() {
        work(1);
        queue.add("a");
        queue.hold("a");
        queue.add("a");
        queue.release("a");
        assertThat(begun()).as("worked on once at a time").containsExactly("a");
        finish("a");
        assertThat(begun()).containsExactly("a");
    }
}
