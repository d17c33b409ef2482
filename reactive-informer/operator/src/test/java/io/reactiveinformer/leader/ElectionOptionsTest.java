package io.reactiveinformer.leader;

import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

class ElectionOptionsTest {

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    @Test
    void hasTheTimingsOfClientGo() {
        ElectionOptions defaults = ElectionOptions.defaults();
        assertThat(defaults.leaseDuration()).hasSeconds(15);
        assertThat(defaults.renewDeadline()).hasSeconds(10);
        assertThat(defaults.retryPeriod()).hasSeconds(2);
        assertThat(defaults.identity()).isNotEqualTo(ElectionOptions.defaults().identity());
    }

    /** As many electors as one likes take one thread, which outlasts a test in virtual time. */
    @Test
    void givesAllTheSameTimer() {
        assertThat(ElectionOptions.defaults().timer()).isSameAs(ElectionOptions.defaults().timer());
        VirtualTimeScheduler.getOrSet();
        Scheduler timer = ElectionOptions.defaults().timer();
        VirtualTimeScheduler.reset();
        Thread ticked = Mono.delay(Duration.ofMillis(1), timer).map(tick -> Thread.currentThread()).block(Duration.ofSeconds(30));
        assertThat(ticked).isInstanceOf(NonBlocking.class).hasFieldOrPropertyWithValue("name", "leader-election").matches(Thread::isDaemon);
    }

    @Test
    void looksAfterTwoToFourPointFourSeconds() {
        assertThat(ElectionOptions.defaults().withRandom(() -> 0).drawPause()).hasSeconds(2);
        assertThat(ElectionOptions.defaults().withRandom(() -> 1).drawPause()).hasMillis(4_400);
    }

    @ParameterizedTest
    @CsvSource({
            "PT10S,   PT10S, PT2S,   leaseDuration must be longer than renewDeadline",
            "PT15S,   PT2.4S, PT2S,  renewDeadline must be longer than 1.2 * retryPeriod",
            "PT15S,   PT10S, PT0S,   retryPeriod must be longer than zero",
            "PT15S,   PT10S, PT-1S,  retryPeriod must be longer than zero",
            "PT10.5S, PT10S, PT2S,   leaseDuration must be in whole seconds"})
    void refusesWhatCannotBeSafe(Duration lease, Duration deadline, Duration retry, String why) {
        assertThatIllegalArgumentException().isThrownBy(() -> ElectionOptions.defaults().withTimings(lease, deadline, retry))
                .withMessageContaining(why);
    }

    @Test
    void refusesANameThatIsNone() {
        assertThatIllegalArgumentException().isThrownBy(() -> ElectionOptions.defaults().withIdentity(""));
    }
}
