package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static java.time.Duration.ofMillis;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Numbers are of client-go's semantics 8.10. */
class RateLimiterTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

    @Test // §181
    void exponentialDoublesWithEachFailureOfTheKeyUpToItsMaximum() {
        RateLimiter<String> limiter = RateLimiter.exponential(ofMillis(1), ofSeconds(1));
        assertThat(IntStream.range(0, 5).mapToObj(i -> limiter.next("a")))
                .containsExactly(ofMillis(1), ofMillis(2), ofMillis(4), ofMillis(8), ofMillis(16));
        assertThat(limiter.retries("a")).isEqualTo(5);
        assertThat(limiter.next("b")).isEqualTo(ofMillis(1));
        limiter.forget("a");
        assertThat(limiter.retries("a")).isZero();
        assertThat(limiter.next("a")).isEqualTo(ofMillis(1));
        IntStream.range(0, 2_000).forEach(i -> limiter.next("b"));
        assertThat(limiter.next("b")).isEqualTo(ofSeconds(1));
        RateLimiter<String> endless = RateLimiter.exponential(ofMillis(5), ofSeconds(Long.MAX_VALUE));
        IntStream.range(0, 100).forEach(i -> endless.next("a"));
        assertThat(endless.next("a")).isEqualTo(WorkQueue.LONGEST_DELAY);
    }

    @Test // §182
    void fastThenSlowChangesAfterSoManyTries() {
        RateLimiter<String> limiter = RateLimiter.fastThenSlow(ofMillis(5), ofSeconds(10), 3);
        assertThat(IntStream.range(0, 5).mapToObj(i -> limiter.next("a")))
                .containsExactly(ofMillis(5), ofMillis(5), ofMillis(5), ofSeconds(10), ofSeconds(10));
        limiter.forget("a");
        assertThat(limiter.next("a")).isEqualTo(ofMillis(5));
    }

    @Test
    void aBucketIsOfAllKeysAndFillsWithTime() {
        RateLimiter<String> limiter = RateLimiter.bucket(10, 2, time);
        assertThat(limiter.next("a")).isZero();
        assertThat(limiter.next("b")).isZero();
        assertThat(limiter.next("c")).isEqualTo(ofMillis(100));
        assertThat(limiter.next("d")).isEqualTo(ofMillis(200));
        time.advanceTimeBy(ofMillis(300));
        assertThat(limiter.next("e")).isZero();
        assertThat(limiter.next("f")).isEqualTo(ofMillis(100));
        time.advanceTimeBy(ofSeconds(60));
        assertThat(IntStream.range(0, 3).mapToObj(i -> limiter.next("g"))).as("no more than the burst is saved").containsExactly(
                Duration.ZERO, Duration.ZERO, ofMillis(100));
    }

    @Test
    void theLongerOfTwoCountsAndBothAreAsked() {
        RateLimiter<String> exponential = RateLimiter.exponential(ofMillis(5), ofSeconds(1));
        RateLimiter<String> limiter = RateLimiter.longerOf(exponential, RateLimiter.fastThenSlow(ofMillis(7), ofMillis(7), 1));
        assertThat(limiter.next("a")).isEqualTo(ofMillis(7));
        assertThat(limiter.next("a")).isEqualTo(ofMillis(10));
        assertThat(limiter.retries("a")).isEqualTo(2);
        limiter.forget("a");
        assertThat(exponential.retries("a")).isZero();
        RateLimiter<String> other = RateLimiter.longerOf(RateLimiter.fastThenSlow(ofMillis(7), ofMillis(7), 1), exponential);
        other.next("a");
        other.forget("a");
        assertThat(exponential.retries("a")).as("whichever of the two it is").isZero();
    }

    @Test
    void atMostCutsWhatIsLonger() {
        RateLimiter<String> limiter = RateLimiter.<String>exponential(ofMillis(5), ofSeconds(1)).atMost(ofMillis(8));
        assertThat(limiter.next("a")).isEqualTo(ofMillis(5));
        assertThat(limiter.next("a")).isEqualTo(ofMillis(8));
        assertThat(limiter.retries("a")).isEqualTo(2);
        limiter.forget("a");
        assertThat(limiter.retries("a")).isZero();
        assertThat(limiter.next("a")).isEqualTo(ofMillis(5));
    }

    @Test
    void aBucketThatNeverFillsIsRefused() {
        assertThatIllegalArgumentException().isThrownBy(() -> RateLimiter.bucket(0, 1, time));
        assertThatIllegalArgumentException().isThrownBy(() -> RateLimiter.bucket(Double.NaN, 1, time));
        assertThatIllegalArgumentException().isThrownBy(() -> RateLimiter.bucket(1, 0, time));
        assertThat(RateLimiter.<String>bucket(0.5, 1, time).next("a")).isZero();
    }

    @Test
    void theStandardIsClientGos() {
        RateLimiter<String> limiter = RateLimiter.standard(time);
        assertThat(limiter.next("a")).isEqualTo(ofMillis(5));
        IntStream.range(0, 99).forEach(i -> limiter.next("k" + i));
        assertThat(limiter.next("b")).as("the burst of 100 is used up").isEqualTo(ofMillis(100));
        IntStream.range(0, 30).forEach(i -> limiter.next("a"));
        assertThat(limiter.next("a")).isEqualTo(ofSeconds(1_000));
    }

    @Test
    void refusesWhatMakesNoSense() {
        assertThatThrownBy(() -> RateLimiter.exponential(ofSeconds(2), ofSeconds(1))).hasMessageContaining("first PT2S, max PT1S");
        assertThatThrownBy(() -> RateLimiter.bucket(0, 1, time)).hasMessageContaining("rate above 0");
    }
}
