package io.reactiveinformer.internal.operator;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.scheduler.Scheduler;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

class MomentTest {

    private Duration monotonic = ofSeconds(1_000);
    private Duration timeOfDay = ofSeconds(5_000_000);
    private final Scheduler clock = new Scheduler() {
        @Override
        public long now(TimeUnit unit) {
            return unit.convert(unit.compareTo(TimeUnit.MILLISECONDS) < 0 ? monotonic : timeOfDay);
        }

        @Override
        public Disposable schedule(Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Worker createWorker() {
            throw new UnsupportedOperationException();
        }
    };
    private final Moment then = Moment.now(clock);

    @Test
    void aMomentIsPastForAsLongAsBothClocksSay() {
        monotonic = monotonic.plusMillis(1_500);
        timeOfDay = timeOfDay.plusMillis(1_500);
        assertThat(then.past(clock)).hasMillis(1_500);
    }

    @Test
    void theTimeOfDayTellsOfAMonotonicClockThatStood() {
        timeOfDay = timeOfDay.plusSeconds(60);
        assertThat(then.past(clock)).hasSeconds(60);
    }

    @Test
    void aTimeOfDayThatIsSetBackHidesNothing() {
        monotonic = monotonic.plusSeconds(7);
        timeOfDay = timeOfDay.minusSeconds(3_600);
        assertThat(then.past(clock)).hasSeconds(7);
    }
}
