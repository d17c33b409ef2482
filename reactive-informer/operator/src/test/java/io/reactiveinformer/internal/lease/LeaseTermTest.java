package io.reactiveinformer.internal.lease;

import io.reactiveinformer.internal.operator.Moment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** How long a member may take its share for its own: never longer than others wait for it. */
class LeaseTermTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final LeaseTerm term = new LeaseTerm(clock, Duration.ofSeconds(10));

    @AfterEach
    void close() {
        clock.dispose();
    }

    private void seconds(int seconds) {
        clock.advanceTimeBy(Duration.ofSeconds(seconds));
    }

    @Test
    void beginsWithItsFirstRenewal() {
        seconds(100);
        assertThat(term.holds()).isFalse();
        assertThat(term.isOver()).isFalse();
        assertThat(term.atMost(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(30));
        term.renew(Moment.now(clock));
        assertThat(term.holds()).isTrue();
    }

    /** The answer may have been long in coming. */
    @Test
    void countsFromWhenTheRenewalWasSent() {
        Moment sent = Moment.now(clock);
        seconds(4);
        term.renew(sent);
        assertThat(term.atMost(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(6));
        assertThat(term.atMost(Duration.ofSeconds(5))).isEqualTo(Duration.ofSeconds(5));
        seconds(5);
        assertThat(term.holds()).isTrue();
        assertThat(term.isExpired()).isFalse();
        seconds(1);
        assertThat(term.holds()).isFalse();
        assertThat(term.isExpired()).isTrue();
    }

    @Test
    void whatHasRunOutIsNotRenewed() {
        term.renew(Moment.now(clock));
        seconds(11);
        term.renew(Moment.now(clock));
        assertThat(term.holds()).isFalse();
        assertThat(term.isOver()).isTrue();
        assertThat(term.atMost(Duration.ofSeconds(30))).isZero();
    }

    @Test
    void endsBeforeItsTimeWhereItIsGivenUp() {
        term.renew(Moment.now(clock));
        term.end();
        assertThat(term.holds()).isFalse();
        assertThat(term.isOver()).isTrue();
        assertThat(term.isExpired()).isFalse();
        term.renew(Moment.now(clock));
        assertThat(term.holds()).isFalse();
    }
}
