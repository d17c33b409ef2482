package io.reactiveinformer.view;

import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class SampledViewTest {

    private static final Duration PERIOD = Duration.ofMillis(100);

    private final Rows rows = Rows.complete();

    private View<String, String> sampled(Duration period) {
        return HubView.of(rows).sample(period);
    }

    @Nested
    class InVirtualTime {

        private final VirtualTimeScheduler time = VirtualTimeScheduler.create();

        @BeforeEach
        void stopTheClock() {
            VirtualTimeScheduler.set(time);
        }

        @AfterEach
        void letItGoOn() {
            VirtualTimeScheduler.reset();
        }

        private Listening<String> listen(View<String, String> view) {
            Listening<String> listening = Listening.to(view.changes()).all();
            time.advanceTime();
            assertThat(listening.received()).as("what is there, at once").contains("synced " + rows.snapshot().size());
            return listening;
        }

        @Test
        void tellsOfTheFirstChangeAfterAPauseAtOnce() {
            rows.put("a", "u", 1);
            Listening<String> listening = listen(sampled(PERIOD));
            time.advanceTimeBy(PERIOD);
            rows.put("a", "u", 2);
            time.advanceTime();
            assertThat(listening.received()).containsExactly("a: u@1 -> u@2");
        }

        @Test
        void tellsWhatFollowsWhenThePeriodIsOverAndConflated() {
            View<String, String> sampled = sampled(PERIOD);
            rows.put("a", "u", 1);
            Listening<String> listening = listen(sampled);
            long revision = sampled.snapshot().revision();
            rows.put("a", "u", 2).put("b", "u", 3);
            time.advanceTimeBy(PERIOD.dividedBy(2));
            rows.put("a", "u", 4).put("c", "u", 5).remove("c", 6);
            time.advanceTimeBy(PERIOD.dividedBy(2).minusNanos(1));
            assertThat(listening.received()).as("before it is over").isEmpty();
            time.advanceTimeBy(Duration.ofNanos(1));
            assertThat(listening.received()).containsExactly("a: u@1 -> u@4", "+b=u@3");
            assertThat(sampled.snapshot().revision()).as("one step for all").isEqualTo(revision + 1);
            time.advanceTimeBy(PERIOD.multipliedBy(3));
            assertThat(listening.received()).as("nothing happened").isEmpty();
        }

        @Test
        void endsWithAllThatHappened() {
            rows.put("a", "u", 1);
            Listening<String> listening = listen(sampled(PERIOD));
            rows.put("a", "u", 2);
            rows.hub.complete();
            time.advanceTime();
            assertThat(listening.received()).containsExactly("a: u@1 -> u@2");
            assertThat(listening.completed).as("at once").isTrue();
            time.advanceTimeBy(PERIOD);
            assertThat(listening.received()).as("the run that waited").isEmpty();
        }

        @Test
        void failsAtOnce() {
            rows.put("a", "u", 1);
            Listening<String> listening = listen(sampled(PERIOD));
            rows.put("a", "u", 2);
            rows.hub.fail(new IllegalStateException("lost"));
            time.advanceTime();
            assertThat(listening.failure).hasMessage("lost");
        }

        @Test
        void beginsItsFirstPeriodWithWhatItTells() {
            Rows empty = Rows.incomplete();
            Listening<String> listening = Listening.to(HubView.of(empty).sample(Duration.ofSeconds(10)).changes()).all();
            time.advanceTimeBy(Duration.ofMillis(200));
            empty.put("a", "u", 1);
            time.advanceTime();
            assertThat(listening.received()).containsExactly("+a=u@1 (initial)", "synced 1");
        }
    }

    /** The next change comes while the one before is being emitted, which is when a period may end unseen. */
    @Test
    void losesNoChangeHoweverThePeriodsEnd() throws InterruptedException {
        var received = new Semaphore(0);
        var subscription = sampled(Duration.ofNanos(50_000)).changes().subscribe(change -> received.release());
        assertThat(received.tryAcquire(20, TimeUnit.SECONDS)).as("synced").isTrue();
        for (int version = 1; version < 1_000; version++) {
            rows.put("a", "u", version);
            assertThat(received.tryAcquire(20, TimeUnit.SECONDS)).as("version %s", version).isTrue();
        }
        subscription.dispose();
        assertThat(rows.hub.followers()).isZero();
    }

    @Test
    void refusesAPeriodThatIsNone() {
        assertThatThrownBy(() -> sampled(Duration.ZERO)).isInstanceOf(IllegalArgumentException.class)
                .hasMessage("a period must be longer than zero, was PT0S");
    }
}
