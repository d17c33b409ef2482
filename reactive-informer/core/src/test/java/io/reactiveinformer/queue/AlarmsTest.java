package io.reactiveinformer.queue;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.Disposables;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** The one timer of many delays, as several threads may come to it: two that arm it at once, and one that arms what another disarms. */
class AlarmsTest {

    private final VirtualTimeScheduler timer = VirtualTimeScheduler.create();
    private final List<Long> rings = new ArrayList<>();
    private final Alarms<String> alarms = new Alarms<>(timer, () -> rings.add(timer.now(TimeUnit.SECONDS)));

    private Alarms.Arming due(String key, int seconds) {
        alarms.set(new Entry<>(key, ""), Duration.ofSeconds(seconds).toNanos(), 0);
        return Objects.requireNonNull(alarms.toArm());
    }

    /** The later one was worked out first, and is written down last. */
    @Test
    void theAlarmThatIsDueFirstStaysWhoeverWritesItDownLast() {
        Alarms.Arming late = due("late", 60);
        Alarms.Arming soon = due("soon", 5);
        Disposable ofSoon = alarms.arm(soon);
        alarms.armed(soon, ofSoon).dispose();
        Disposable ofLate = alarms.arm(late);
        alarms.armed(late, ofLate).dispose();
        assertThat(ofSoon.isDisposed()).isFalse();
        assertThat(ofLate.isDisposed()).as("is needed no more").isTrue();
        timer.advanceTimeBy(Duration.ofSeconds(5));
        assertThat(rings).containsExactly(5L);
    }

    @Test
    void anAlarmTakesThePlaceOfTheOneThatIsDueLater() {
        Disposable ofLate = Disposables.single();
        alarms.armed(due("late", 60), ofLate).dispose();
        alarms.armed(due("soon", 5), Disposables.single()).dispose();
        assertThat(ofLate.isDisposed()).isTrue();
    }

    @Test
    void whatIsDueNoSoonerNeedsNoOtherAlarm() {
        due("soon", 5);
        alarms.set(new Entry<>("later", ""), Duration.ofSeconds(6).toNanos(), 0);
        assertThat(alarms.toArm()).isNull();
    }

    /** A queue that ended meanwhile is not rung. */
    @Test
    void anAlarmThatIsBeingArmedWhileItIsDisarmedIsNeededNoMore() {
        Alarms.Arming arming = due("late", 60);
        alarms.disarm().dispose();
        Disposable by = alarms.arm(arming);
        alarms.armed(arming, by).dispose();
        assertThat(by.isDisposed()).isTrue();
    }
}
