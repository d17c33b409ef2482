package io.reactiveinformer.sharding;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Status;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 19: Retry-After is a floor, until it is over. */
class RetryAfterGateTest {

    private static final Duration SECOND = Duration.ofSeconds(1);

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final Member.RetryAfterGate gate = new Member.RetryAfterGate(clock);

    @AfterEach
    void close() {
        clock.dispose();
    }

    private static KubernetesException refusal(@Nullable Duration retryAfter) {
        return StatusException.of(new Status(429, "TooManyRequests", "", List.of(), retryAfter), "renew the lease");
    }

    @Test
    void whatWasAskedForEnds() {
        assertThat(gate.atLeast(SECOND)).isEqualTo(SECOND);
        gate.hear(refusal(Duration.ofSeconds(20)));
        assertThat(gate.atLeast(SECOND)).isEqualTo(Duration.ofSeconds(20));
        assertThat(gate.atLeast(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(30));
        clock.advanceTimeBy(Duration.ofSeconds(15));
        assertThat(gate.atLeast(SECOND)).isEqualTo(Duration.ofSeconds(5));
        clock.advanceTimeBy(Duration.ofSeconds(10));
        assertThat(gate.atLeast(SECOND)).isEqualTo(SECOND);
    }

    @Test
    void whoAsksForNothingTakesNothingBack() {
        gate.hear(refusal(Duration.ofSeconds(20)));
        gate.hear(refusal(null));
        gate.hear(new TransportException("broken", null));
        assertThat(gate.atLeast(SECOND)).isEqualTo(Duration.ofSeconds(20));
    }

    @Test
    void aDayIsAMinute() {
        gate.hear(refusal(Duration.ofDays(1)));
        assertThat(gate.atLeast(SECOND)).isEqualTo(Duration.ofMinutes(1));
    }
}
