package io.reactiveinformer.test.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.reflector.Reflector;
import io.reactiveinformer.reflector.ReflectorGroup;
import io.reactiveinformer.reflector.ReflectorOptions;
import io.reactiveinformer.test.Script;
import io.reactiveinformer.test.ScriptedListerWatcher;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.reactivestreams.Subscription;
import reactor.core.publisher.BaseSubscriber;
import reactor.core.publisher.Flux;
import reactor.test.scheduler.VirtualTimeScheduler;

import static org.assertj.core.api.Assertions.assertThat;

/** Law 9, among reflectors that take turns: a list counts while the server tells it, not while somebody takes it. */
class TurnsTest {

    private final VirtualTimeScheduler clock = VirtualTimeScheduler.create();
    private final ReflectorGroup group = ReflectorGroup.create(1);

    private BaseSubscriber<ReflectorEvent<String>> slow(ScriptedListerWatcher<String> server, boolean streaming) {
        var slow = new BaseSubscriber<ReflectorEvent<String>>() {
            @Override
            protected void hookOnSubscribe(Subscription subscription) {
                request(2);
            }
        };
        Reflector.of(server, ReflectorOptions.defaults().withStreaming(streaming).withTimer(clock).withGroup(group))
                .events().subscribe(slow);
        return slow;
    }

    private void isNext(BaseSubscriber<ReflectorEvent<String>> slow) {
        var next = new ScriptedListerWatcher<String>().onList("10", "a").onWatch("10", Script.never());
        Told told = Told.by(clock, next, options -> options.withGroup(group));
        clock.advanceTimeBy(Duration.ZERO);
        told.tells("listing", "a@10", "listed 10", "watching 10").end();
        assertThat(slow.isDisposed()).isFalse();
        slow.cancel();
    }

    @Test
    void aTurnIsOverWhenTheServerHasToldAllPages() {
        isNext(slow(new ScriptedListerWatcher<String>().onPage("10", "more", "a", "b").onPage("10", null, "c", "d")
                .onWatch("10", Script.never()), false));
    }

    @Test
    void aTurnIsOverAtTheEndMarkOfAStreamingList() {
        isNext(slow(new ScriptedListerWatcher<String>().onStream(null, Script.staysOpenAfter(
                Script.added("a", "1"), Script.added("b", "2"), Script.added("c", "3"), Script.endMark("10"))), true));
    }

    @Test
    void aTurnIsOverWhenTheListFails() {
        isNext(slow(new ScriptedListerWatcher<String>().onList(Flux.just(Script.item("a", "1"), Script.item("b", "2"))
                .concatWith(Flux.error(Script.broken()))), false));
    }
}
