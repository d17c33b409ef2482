package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** The one timer of many delays, used by several threads: two threads arm it at once, or one arms what another disarms. */
class WorkQueueAlarmTest {

    private final VirtualTimeScheduler time = VirtualTimeScheduler.create();
    private final List<String> begun = new ArrayList<>();
    private final Map<Long, Disposable> armed = new HashMap<>();
    private final WorkQueue<String> queue = WorkQueue.create(
            WorkQueueOptions.<String>defaults().withTimer(new Timer()).withWorkers(Schedulers.immediate()));
    private Runnable meanwhile = () -> {};

    /** While it schedules a task, another thread does something. */
    private final class Timer implements Scheduler {

        @Override
        public Disposable schedule(Runnable task, long delay, TimeUnit unit) {
            Runnable other = meanwhile;
            meanwhile = () -> {};
            other.run();
            Disposable scheduled = time.schedule(task, delay, unit);
            armed.put(unit.toSeconds(delay), scheduled);
            return scheduled;
        }

        @Override
        public Disposable schedule(Runnable task) {
            throw new UnsupportedOperationException();
        }

        @Override
        public Worker createWorker() {
            throw new UnsupportedOperationException();
        }

        @Override
        public long now(TimeUnit unit) {
            return time.now(unit);
        }
    }

    private void isDue(int seconds) {
        queue.addAfter("after " + seconds + " s", Duration.ofSeconds(seconds));
    }

    @Test
    void theAlarmThatIsDueFirstStaysWhicheverIsArmedLast() {
        meanwhile = () -> isDue(5);
        isDue(60);
        assertThat(armed.get(5L).isDisposed()).isFalse();
        assertThat(armed.get(60L).isDisposed()).as("is needed no more").isTrue();
        Disposable working = queue.process(1, key -> Mono.fromRunnable(() -> begun.add(key))).subscribe();
        time.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(begun).containsExactly("after 5 s");
        working.dispose();
    }

    @Test
    void anAlarmTakesThePlaceOfTheOneThatIsDueLater() {
        isDue(60);
        isDue(5);
        assertThat(armed.get(60L).isDisposed()).isTrue();
        assertThat(armed.get(5L).isDisposed()).isFalse();
    }

    @Test
    void whatIsDueNoSoonerNeedsNoOtherAlarm() {
        isDue(5);
        isDue(6);
        assertThat(armed).containsOnlyKeys(5L);
    }

    /** A queue that ended meanwhile is not rung. */
    @Test
    void anAlarmThatIsBeingArmedWhileItIsDisarmedIsNeededNoMore() {
        meanwhile = queue::close;
        isDue(60);
        assertThat(armed.get(60L).isDisposed()).isTrue();
    }
}
