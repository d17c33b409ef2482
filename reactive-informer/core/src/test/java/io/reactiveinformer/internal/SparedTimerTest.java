package io.reactiveinformer.internal;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class SparedTimerTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static Thread thread(Scheduler timer) {
        return Mono.delay(Duration.ofMillis(1), timer).map(tick -> Thread.currentThread()).block(PATIENCE);
    }

    @Test
    void isTheGivenTimerWhileMemoryWasNeverShort() {
        var time = VirtualTimeScheduler.create();
        Scheduler timer = SparedTimer.of(time);
        var ticked = Mono.delay(Duration.ofHours(1), timer).toFuture();
        assertThat(ticked).isNotDone();
        time.advanceTimeBy(Duration.ofHours(1));
        assertThat(ticked).isDone();
        assertThat(SparedTimer.of(timer)).isSameAs(timer);
    }

    /** A thread for each informer of a process would be another shortage. */
    @Test
    void afterAShortageAllShareOneOtherThread() {
        Scheduler one = SparedTimer.of(VirtualTimeScheduler.create());
        Scheduler other = SparedTimer.of(VirtualTimeScheduler.create());
        MemoryShortages.end();
        assertThat(thread(one)).isInstanceOf(TimerThread.class).isSameAs(thread(other));
    }

    @Test
    void aTimerOfOursHasAnotherThreadAfterEachShortage() {
        Scheduler timer = TimerThread.scheduler("a-timer");
        Thread before = thread(timer);
        assertThat(thread(timer)).isSameAs(before);
        MemoryShortages.end();
        Thread after = thread(timer);
        assertThat(after).isNotSameAs(before);
        MemoryShortages.end();
        assertThat(thread(timer)).isNotSameAs(after).isNotSameAs(before);
    }
}
