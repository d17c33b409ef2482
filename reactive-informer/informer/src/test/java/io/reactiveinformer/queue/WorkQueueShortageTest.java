package io.reactiveinformer.queue;

import io.reactiveinformer.PoorTimer;
import io.reactiveinformer.internal.Shortage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;

import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

/** Whatever is lost or thrown for want of memory, no key waits for ever. */
class WorkQueueShortageTest extends WorkQueueFixture {

    private final PoorTimer timer = new PoorTimer(time);
    private final AtomicInteger bombs = new AtomicInteger();
    private final AtomicInteger asked = new AtomicInteger();
    private final WorkQueue<String> spared = WorkQueue.create(options.withTimer(timer).withClasses(key -> new PoorClass()));
    private final Disposable work = work(spared, 3);

    /** The class of all keys, or a key. */
    private final class PoorClass {

        @Override
        public boolean equals(@Nullable Object other) {
            return other instanceof PoorClass;
        }

        @Override
        public int hashCode() {
            asked.incrementAndGet();
            if (bombs.getAndUpdate(left -> Math.max(0, left - 1)) > 0) {
                throw new OutOfMemoryError("in the line");
            }
            return 1;
        }
    }

    @AfterEach
    void stop() {
        work.dispose();
    }

    private void anHourPasses() {
        time.advanceTimeBy(Duration.ofHours(1));
    }

    @Test
    void aDelayedKeyOfALostAlarmIsWorkedOnAfterTheShortage() {
        timer.loses(1);
        spared.addAfter("a", ofSeconds(1));
        anHourPasses();
        Shortage.endsInVirtualTime();
        anHourPasses();
        assertThat(begun()).containsExactly("a");
    }

    @Test
    void anAlarmThatCouldNotBeArmedIsArmedASecondLater() {
        spared.addAfter("a", ofSeconds(1));
        spared.addAfter("b", ofSeconds(2));
        timer.refuses(1);
        time.advanceTimeBy(ofSeconds(1));
        Shortage.isLookedFor();
        anHourPasses();
        assertThat(begun()).containsExactly("a", "b");
    }

    @Test
    void aKeyThatCouldNotGetIntoLineGetsThereBeforeTheNextOne() {
        bombs.set(1);
        assertThatThrownBy(() -> spared.add("a")).isInstanceOf(OutOfMemoryError.class);
        spared.add("b");
        assertThat(begun()).containsExactly("a", "b");
    }

    @Test
    void aKeyThatCouldNotBeQueuedAfterItsDelayIsASecondLater() {
        spared.addAfter("a", ofSeconds(1));
        bombs.set(2);
        time.advanceTimeBy(ofSeconds(1));
        Shortage.isLookedFor();
        anHourPasses();
        assertThat(begun()).containsExactly("a");
    }

    @Test
    void aKeyThatCannotGetIntoLineHoldsUpNoOther() {
        WorkQueue<String> strange = WorkQueue.create(options.withClasses(key -> key.equals("a") ? new PoorClass() : key));
        Disposable working = work(strange, 3);
        bombs.set(Integer.MAX_VALUE);
        assertThatThrownBy(() -> strange.add("a")).isInstanceOf(OutOfMemoryError.class);
        strange.add("b");
        assertThat(begun()).containsExactly("b");
        bombs.set(0);
        Shortage.isLookedFor();
        assertThat(begun()).containsExactly("a");
        working.dispose();
    }

    @Test
    void aKeyWithoutAClassHasNoOtherLineUpAnew() {
        for (int i = 0; i < 100; i++) {
            spared.add("key" + i);
        }
        assertThatThrownBy(() -> spared.add(null)).isInstanceOf(NullPointerException.class);
        int before = asked.get();
        spared.add("another");
        assertThat(asked.get() - before).isLessThan(10);
    }

    @Test
    void aKeyThatCannotBeComparedWhenItsWorkEndsIsWorkedOnAgain() {
        var key = new PoorClass();
        WorkQueue<Object> poor = WorkQueue.create(WorkQueueOptions.defaults().withWorkers(time).withTimer(time));
        List<Object> begun = new ArrayList<>();
        Sinks.One<Result> first = Sinks.one();
        Disposable working = poor.process(1, again -> {
            begun.add(again);
            return begun.size() == 1 ? first.asMono() : Mono.just(Result.done());
        }).subscribe();
        poor.add(key);
        bombs.set(2);
        first.tryEmitValue(Result.done());
        bombs.set(0);
        anHourPasses();
        assertThat(begun).hasSize(2);
        assertThat(poor.unfinished().keys()).isZero();
        working.dispose();
    }

    /** Its end is the next change after one that was interrupted. */
    @Test
    void aKeyThatWasAddedWhileItWasWorkedOnIsWorkedOnOnceMore() {
        spared.add("a");
        spared.add("a");
        bombs.set(1);
        assertThatThrownBy(() -> spared.add("b")).isInstanceOf(OutOfMemoryError.class);
        finish("a");
        assertThat(begun()).containsExactly("a", "b", "a");
        finish("b");
        finish("a");
        anHourPasses();
        assertThat(begun()).isEmpty();
        assertThat(spared.unfinished().keys()).isZero();
    }
}
