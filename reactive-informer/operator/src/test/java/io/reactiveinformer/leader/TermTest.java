package io.reactiveinformer.leader;

import io.reactiveinformer.internal.lease.LeaseTerm;
import io.reactiveinformer.internal.operator.Moment;
import io.reactiveinformer.leader.Leadership.Term;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class TermTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();

    @Test
    void endsByTheClockAloneForWhoAsks() {
        var time = new LeaseTerm(clock, Duration.ofSeconds(10));
        time.renew(Moment.now(clock));
        Term term = new Term(3, time);
        assertThat(term.holds()).isTrue();
        assertThat(term.remaining()).hasSeconds(10);
        clock.advanceTimeBy(Duration.ofSeconds(10).minusNanos(1));
        assertThat(term.holds()).isTrue();
        clock.advanceTimeBy(Duration.ofNanos(1));
        assertThat(term.holds()).isFalse();
        assertThat(term.remaining()).isZero();
    }
}
