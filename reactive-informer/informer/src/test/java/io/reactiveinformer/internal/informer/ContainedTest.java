package io.reactiveinformer.internal.informer;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.publisher.Flux;
import reactor.core.scheduler.Scheduler;
import reactor.test.publisher.TestPublisher;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

class ContainedTest {

    private final List<Throwable> thrown = new ArrayList<>();
    private final Error error = new NoClassDefFoundError("planned");

    private void fail() {
        throw error;
    }

    @Test
    void aSubscriberThatThrowsIsCancelled() {
        TestPublisher<Integer> source = TestPublisher.create();
        List<Integer> received = new ArrayList<>();
        Contained.flux(source.flux(), thrown::add).subscribe(value -> {
            received.add(value);
            fail();
        });
        source.next(1);
        source.assertCancelled();
        assertThat(received).containsExactly(1);
        assertThat(thrown).containsExactly(error);
    }

    @Test
    void whatIsThrownFromTheEndGoesNoFurther() {
        Contained.flux(Flux.empty(), thrown::add).subscribe(null, null, this::fail);
        assertThat(thrown).containsExactly(error);
    }

    @Test
    void noTaskThrows() {
        VirtualTimeScheduler time = VirtualTimeScheduler.create();
        Scheduler contained = Contained.scheduler(time, thrown::add);
        Scheduler.Worker worker = contained.createWorker();
        contained.schedule(this::fail);
        contained.schedule(this::fail, 1, TimeUnit.SECONDS);
        contained.schedulePeriodically(this::fail, 1, 10, TimeUnit.SECONDS);
        worker.schedule(this::fail);
        worker.schedule(this::fail, 1, TimeUnit.SECONDS);
        worker.schedulePeriodically(this::fail, 1, 10, TimeUnit.SECONDS);
        time.advanceTimeBy(Duration.ofSeconds(1));
        assertThat(thrown).hasSize(6).containsOnly(error);
        time.advanceTimeBy(Duration.ofSeconds(10));
        assertThat(thrown).as("what is periodic goes on").hasSize(8);
    }
}
