package io.reactiveinformer.backoff;

import io.reactiveinformer.backoff.Backoff.Delays;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.test.StepVerifier;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class BackoffTest {

    private static final Backoff BACKOFF = Backoff.between(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();

    /** Stream scenario 5. */
    @Test
    void delaysDoubleUpToTheLongest() {
        Delays delays = BACKOFF.delays(clock, () -> 0);
        assertThat(Flux.generate(sink -> sink.next(delays.next().toSeconds())).take(7).collectList().block())
                .isEqualTo(List.of(1L, 2L, 4L, 8L, 16L, 30L, 30L));
        assertThat(delays.failures()).isEqualTo(7);
    }

    @Test
    void aDelayIsLengthenedByUpToItsOwnLengthAndNeverShortened() {
        var random = new Random(7);
        for (int round = 0; round < 1000; round++) {
            Delays delays = BACKOFF.delays(clock, random::nextDouble);
            assertThat(delays.next()).isBetween(Duration.ofSeconds(1), Duration.ofSeconds(2));
            assertThat(delays.next()).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(4));
        }
        Delays longest = BACKOFF.delays(clock, () -> 0.5);
        assertThat(longest.next()).isEqualTo(Duration.ofMillis(1500));
    }

    @Test
    void startsOverOnProgress() {
        Delays delays = BACKOFF.delays(clock, () -> 0);
        delays.next();
        delays.next();
        delays.reset();
        assertThat(delays.next()).isEqualTo(Duration.ofSeconds(1));
    }

    /** Stream scenario 6: a quiet healthy period counts as progress, the wait before it does not. */
    @Test
    void startsOverAfterATryThatWentWellForLong() {
        Delays delays = BACKOFF.delays(clock, () -> 0);
        delays.next();
        Duration second = delays.next();
        clock.advanceTimeBy(second.plus(BACKOFF.resetAfter()).minusMillis(1));
        assertThat(delays.next()).isEqualTo(Duration.ofSeconds(4));
        clock.advanceTimeBy(Duration.ofSeconds(4).plus(BACKOFF.resetAfter()));
        assertThat(delays.next()).isEqualTo(Duration.ofSeconds(1));
    }

    @Test
    void aFloorIsKeptAndStillSpread() {
        Delays delays = BACKOFF.delays(clock, () -> 0.5);
        assertThat(delays.next(Duration.ofSeconds(10))).isEqualTo(Duration.ofMillis(10_500));
        assertThat(delays.next(Duration.ofMillis(10))).isEqualTo(Duration.ofSeconds(3));
    }

    /** A date in the year 9999, or a number of seconds that is none: nobody is to be lost by it. */
    @Test
    void aFloorIsKeptForTenMinutesAtMost() {
        Delays delays = BACKOFF.delays(clock, () -> 0);
        assertThat(delays.next(Duration.ofDays(3_000_000))).isEqualTo(Duration.ofMinutes(10));
        assertThat(delays.next(Duration.ofSeconds(Long.MAX_VALUE))).isEqualTo(Duration.ofMinutes(10));
    }

    @Test
    void refusesWhatWouldHammer() {
        assertThatThrownBy(() -> Backoff.between(Duration.ZERO, Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("first");
        assertThatThrownBy(() -> Backoff.between(Duration.ofSeconds(2), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("max");
        assertThatThrownBy(() -> Backoff.between(Duration.ofNanos(999_999), Duration.ofSeconds(1)))
                .isInstanceOf(IllegalArgumentException.class).hasMessageContaining("first must be at least 1 ms");
        for (Duration none : List.of(Duration.ZERO, Duration.ofSeconds(-1))) {
            assertThatThrownBy(() -> BACKOFF.withResetAfter(none)).isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("resetAfter");
        }
        assertThatThrownBy(() -> BACKOFF.withFactor(0.5)).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> BACKOFF.withJitter(Double.NaN)).isInstanceOf(IllegalArgumentException.class);
    }

    /** However large the numbers are, a delay comes out, or the numbers are refused. */
    @Test
    void nothingOverflows() {
        Duration forever = Duration.ofSeconds(Long.MAX_VALUE);
        assertThat(BACKOFF.withResetAfter(forever).delays(clock, () -> 0).next()).isEqualTo(Duration.ofSeconds(1));
        Backoff longest = Backoff.between(Duration.ofDays(1), Duration.ofDays(365)).withFactor(Double.POSITIVE_INFINITY).withJitter(100);
        Delays delays = longest.delays(clock, () -> 1);
        delays.next();
        assertThat(delays.next()).isEqualTo(Duration.ofDays(365 * 101));
        assertThatThrownBy(() -> Backoff.between(Duration.ofSeconds(1), forever)).isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("max");
        assertThatThrownBy(() -> BACKOFF.withJitter(Double.POSITIVE_INFINITY)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void retriesAnyFluxAndStartsOverWhenItHasEmitted() {
        Queue<Flux<String>> tries = new ArrayDeque<>(List.of(
                fails(), fails(), fails(), Flux.just("a").concatWith(fails()), Flux.just("b").concatWith(Flux.never())));
        var tried = new AtomicInteger();
        StepVerifier.withVirtualTime(() -> Flux.defer(() -> {
                    tried.incrementAndGet();
                    return tries.remove();
                }).retryWhen(BACKOFF.withJitter(0).retry(VirtualTimeScheduler.get())))
                .expectSubscription()
                .expectNoEvent(Duration.ofSeconds(1 + 2))
                .then(() -> assertThat(tried).hasValue(3))
                .expectNoEvent(Duration.ofMillis(3_999))
                .thenAwait(Duration.ofMillis(1))
                .expectNext("a")
                .expectNoEvent(Duration.ofMillis(999))
                .thenAwait(Duration.ofMillis(1))
                .expectNext("b")
                .thenCancel().verify();
    }

    @Test
    void aRetryHeedsWhatTheFailureAsksFor() {
        StepVerifier.withVirtualTime(() -> Mono.error(new IllegalStateException("busy"))
                        .retryWhen(BACKOFF.retry(VirtualTimeScheduler.get(), failure -> Duration.ofMinutes(1)))
                        .timeout(Duration.ofMillis(59_999), Mono.just("still waiting"), VirtualTimeScheduler.get()))
                .thenAwait(Duration.ofMinutes(1))
                .expectNext("still waiting")
                .verifyComplete();
    }

    private static <T> Flux<T> fails() {
        return Flux.error(new IllegalStateException("planned"));
    }
}
