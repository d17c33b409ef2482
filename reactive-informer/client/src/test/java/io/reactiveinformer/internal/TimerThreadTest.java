package io.reactiveinformer.internal;

import java.time.Duration;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.NonBlocking;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class TimerThreadTest {

    private static final Duration PATIENCE = Duration.ofSeconds(30);

    @AfterEach
    void realTime() {
        VirtualTimeScheduler.reset();
    }

    /** Made under virtual time, as where the first test of a process is one: Reactor's shared timer would be shut down with it. */
    @Test
    void outlastsVirtualTime() {
        VirtualTimeScheduler.getOrSet();
        Scheduler timer = TimerThread.scheduler("a-timer");
        VirtualTimeScheduler.reset();
        Thread ticked = Mono.delay(Duration.ofMillis(1), timer).map(tick -> Thread.currentThread()).block(PATIENCE);
        assertThat(ticked).isInstanceOf(NonBlocking.class).hasFieldOrPropertyWithValue("name", "a-timer");
        assertThat(ticked.isDaemon()).isTrue();
        timer.dispose();
    }

    @Test
    void forgetsWhatIsCancelled() {
        ScheduledThreadPoolExecutor executor = TimerThread.executor("a-timer");
        Scheduler timer = Schedulers.fromExecutorService(executor);
        for (int i = 0; i < 1_000; i++) {
            timer.schedule(() -> {}, 1, TimeUnit.HOURS).dispose();
        }
        assertThat(executor.getQueue()).isEmpty();
        timer.dispose();
    }
}
