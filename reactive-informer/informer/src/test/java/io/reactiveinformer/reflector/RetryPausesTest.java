package io.reactiveinformer.reflector;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 19: a pause grows while its cause lasts, starts over when the cause ends, and is never shorter than the server asks. */
class RetryPausesTest {

    private final TransportException broken = new TransportException("broken", null);
    private final TransportException unreachable = new TransportException("unreachable", new ConnectException("planned"));
    private final KubernetesException unavailable = refusal(503, null);
    private final KubernetesException expired = refusal(410, null);

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final RetryPauses pace = new RetryPauses(ReflectorOptions.defaults().backoff(), time, () -> 0);

    @AfterEach
    void close() {
        time.dispose();
    }

    private static KubernetesException refusal(int code, @Nullable Duration retryAfter) {
        return StatusException.of(new Status(code, "", "planned", List.of(), retryAfter), "watch");
    }

    private long broke() {
        return pace.pauseAfter(broken, true).toMillis();
    }

    private long failed(KubernetesException cause) {
        return pace.pauseAfter(cause, false).toMillis();
    }

    @Test
    void whatWasOfUseResumesAtOnceThriceAndThenOncePerSecond() {
        assertThat(List.of(broke(), broke(), broke(), broke())).containsExactly(25L, 25L, 25L, 800L);
        time.advanceTimeBy(Duration.ofMillis(1_500));
        pace.progress();
        assertThat(List.of(broke(), broke())).containsExactly(25L, 800L);
        time.advanceTimeBy(Duration.ofMillis(500)); // two seconds in all
        pace.progress();
        assertThat(List.of(broke(), broke())).containsExactly(25L, 800L);
        time.advanceTimeBy(Duration.ofHours(1));
        pace.progress();
        assertThat(List.of(broke(), broke(), broke(), broke())).containsExactly(25L, 25L, 25L, 800L);
    }

    /** The next watch may be refused as the last one was; a watch that has sent something was not refused. */
    @Test
    void onlyProgressEndsTheGrowthAfterARefusedWatch() {
        assertThat(pace.pauseBeforeRelist(refusal(500, null), true)).isEqualTo(Duration.ofMillis(800));
        pace.listed();
        assertThat(pace.pauseBeforeRelist(refusal(500, null), true)).isEqualTo(Duration.ofMillis(1_600));
        pace.listed();
        pace.progress();
        assertThat(List.of(failed(unavailable), failed(unavailable))).containsExactly(800L, 1_600L);
        pace.listed();
        assertThat(failed(unavailable)).as("a list is progress again").isEqualTo(800);
    }

    @Test
    void listsThatFollowFromWatchesGrowByThemselves() {
        assertThat(pace.pauseBeforeRelist(expired, false)).isEqualTo(Duration.ofMillis(800));
        pace.listed();
        pace.progress();
        assertThat(pace.pauseBeforeRelist(expired, false)).isEqualTo(Duration.ofMillis(1_600));
        assertThat(pace.failures()).isEqualTo(1);
        failed(unreachable);
        assertThat(pace.pauseBeforeRelist(expired, false)).as("it was restarted").isEqualTo(Duration.ofMillis(800));
    }

    @Test
    void nothingIsAskedSoonerThanTheServerWants() {
        assertThat(failed(refusal(429, Duration.ofSeconds(20)))).isGreaterThanOrEqualTo(20_000);
        assertThat(pace.pauseBeforeRelist(refusal(410, Duration.ofSeconds(20)), false)).isGreaterThanOrEqualTo(Duration.ofSeconds(20));
        assertThat(pace.pauseBeforeRelist(refusal(500, Duration.ofSeconds(20)), true)).isGreaterThanOrEqualTo(Duration.ofSeconds(20));
    }

    /** Who was complete in between has not failed many times in a row, also if the pauses go on growing. */
    @Test
    void aCompleteListStartsTheCountOfAttemptsOver() {
        for (int i = 0; i < 10; i++) {
            pace.pauseBeforeRelist(expired, false);
            assertThat(pace.attempt()).isEqualTo(1);
            pace.listed();
            pace.pauseBeforeRelist(refusal(500, null), true);
            failed(unavailable);
            assertThat(pace.attempt()).isEqualTo(2);
            pace.listed();
            assertThat(pace.attempt()).isZero();
        }
        assertThat(failed(unavailable)).isEqualTo(30_000);
    }

    /** Who answers, whatever it is, is there. */
    @Test
    void refusedConnectionsStartOverWhereSomebodyAnswered() {
        assertThat(List.of(failed(unreachable), failed(unreachable), failed(unreachable), failed(unreachable)))
                .containsExactly(800L, 1_600L, 3_000L, 3_000L);
        assertThat(failed(unavailable)).isEqualTo(800);
        assertThat(failed(unreachable)).isEqualTo(800);
        assertThat(pace.failures()).isEqualTo(2);
        pace.progress();
        assertThat(pace.failures()).isZero();
        assertThat(List.of(failed(unreachable), failed(unreachable))).containsExactly(800L, 1_600L);
        pace.listed();
        assertThat(failed(unreachable)).isEqualTo(800);
    }

    /** A balancer without a living server has many ways to say so. */
    @Test
    void whateverTellsThatThereIsNoServerIsTriedAgainSoon() {
        var page = new Status(502, "", "Bad Gateway", List.of(new Status.Cause(Status.NOT_FROM_A_SERVER, "", "")), null);
        for (KubernetesException cause : List.of(
                unreachable, TransportException.lostBeforeAnswer("closed", null), StatusException.of(page, "watch"))) {
            RetryPauses longest = new RetryPauses(ReflectorOptions.defaults().backoff(), time, () -> 0.999);
            for (int i = 0; i < 100; i++) {
                assertThat(longest.pauseAfter(cause, false)).isBetween(Duration.ofMillis(800), Duration.ofSeconds(5));
            }
        }
    }

    @Test
    void watchesThatCloseSoonFollowOncePerSecondAtLength() {
        assertThat(List.of(pace.pauseBetweenWatches(), pace.pauseBetweenWatches(), pace.pauseBetweenWatches(), pace.pauseBetweenWatches()))
                .containsExactly(RetryPauses.SOON, RetryPauses.SOON, RetryPauses.SOON, RetryPauses.SPACING);
    }

    /** Nothing heals these but somebody who acts: once a minute, and other failures twice. */
    @Test
    void refusalsThatStandAreAskedLessOften() {
        for (int code : new int[] {401, 403, 404, 422}) {
            RetryPauses refused = new RetryPauses(ReflectorOptions.defaults().backoff(), time, () -> 0);
            Duration last = Duration.ZERO;
            for (int i = 0; i < 12; i++) {
                last = refused.pauseAfter(refusal(code, null), false);
            }
            assertThat(last).as("%d", code).isEqualTo(RetryPauses.LONGEST_WHEN_REFUSED);
        }
        Duration last = Duration.ZERO;
        for (int i = 0; i < 12; i++) {
            last = pace.pauseAfter(unavailable, false);
        }
        assertThat(last).isEqualTo(Duration.ofSeconds(30));
    }
}
