package io.reactiveinformer.sharding;

import io.reactiveinformer.internal.operator.Moment;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** How long a member may take its share for its own: never longer than others wait for it. */
class TenureTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final Tenure tenure = new Tenure(clock, Duration.ofSeconds(10));

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
        assertThat(tenure.holds()).isFalse();
        assertThat(tenure.isOver()).isFalse();
        assertThat(tenure.atMost(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(30));
        tenure.renew(Moment.now(clock));
        assertThat(tenure.holds()).isTrue();
    }

    /** The answer may have been long in coming. */
    @Test
    void countsFromWhenTheRenewalWasSent() {
        Moment sent = Moment.now(clock);
        seconds(4);
        tenure.renew(sent);
        assertThat(tenure.atMost(Duration.ofSeconds(30))).isEqualTo(Duration.ofSeconds(6));
        assertThat(tenure.atMost(Duration.ofSeconds(5))).isEqualTo(Duration.ofSeconds(5));
        seconds(5);
        assertThat(tenure.holds()).isTrue();
        assertThat(tenure.isExpired()).isFalse();
        seconds(1);
        assertThat(tenure.holds()).isFalse();
        assertThat(tenure.isExpired()).isTrue();
    }

    @Test
    void whatHasRunOutIsNotRenewed() {
        tenure.renew(Moment.now(clock));
        seconds(11);
        tenure.renew(Moment.now(clock));
        assertThat(tenure.holds()).isFalse();
        assertThat(tenure.isOver()).isTrue();
        assertThat(tenure.atMost(Duration.ofSeconds(30))).isZero();
    }

    @Test
    void endsBeforeItsTimeWhereItIsGivenUp() {
        tenure.renew(Moment.now(clock));
        tenure.end();
        assertThat(tenure.holds()).isFalse();
        assertThat(tenure.isOver()).isTrue();
        assertThat(tenure.isExpired()).isFalse();
        tenure.renew(Moment.now(clock));
        assertThat(tenure.holds()).isFalse();
    }
}
