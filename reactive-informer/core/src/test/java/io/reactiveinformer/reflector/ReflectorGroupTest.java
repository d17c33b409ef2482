package io.reactiveinformer.reflector;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import reactor.core.Disposable;
import reactor.core.scheduler.Schedulers;
import reactor.test.util.RaceTestUtils;

import static org.assertj.core.api.Assertions.assertThat;

class ReflectorGroupTest {

    private final ReflectorGroup group = ReflectorGroup.create(2);
    private final List<String> came = new ArrayList<>();

    @Test
    void noMoreThanSoManyListAtOnceInTheOrderInWhichTheyCame() {
        ReflectorGroup.Turn a = take("a");
        ReflectorGroup.Turn b = take("b");
        ReflectorGroup.Turn c = take("c");
        take("d");
        assertThat(came).containsExactly("a", "b");
        b.end();
        b.end();
        assertThat(came).containsExactly("a", "b", "c");
        c.end();
        a.end();
        assertThat(came).containsExactly("a", "b", "c", "d");
    }

    @Test
    void whoLeavesTheLineHoldsUpNobody() {
        ReflectorGroup.Turn a = take("a");
        take("b");
        ReflectorGroup.Turn c = take("c");
        take("d");
        c.end();
        a.end();
        assertThat(came).containsExactly("a", "b", "d");
    }

    /** A turn that comes while its taker leaves must not be lost. */
    @Test
    void aTurnIsGivenBackHoweverItsEndsMeet() {
        for (int round = 0; round < 5_000; round++) {
            var one = ReflectorGroup.create(1);
            ReflectorGroup.Turn first = one.line();
            Disposable listing = first.comes(Schedulers.immediate()).subscribe();
            ReflectorGroup.Turn second = one.line();
            Disposable waiting = second.comes(Schedulers.immediate()).subscribe();
            RaceTestUtils.race(first::end, second::end);
            ReflectorGroup.Turn third = one.line();
            var taken = new boolean[1];
            third.comes(Schedulers.immediate()).subscribe(null, null, () -> taken[0] = true);
            assertThat(taken[0]).as("round %d", round).isTrue();
            listing.dispose();
            waiting.dispose();
        }
    }

    /** Each ends its turn within it, as lists do that are told at once. */
    @Test
    void anyNumberOfTurnsCanEndWithinEachOther() {
        var one = ReflectorGroup.create(1);
        ReflectorGroup.Turn first = one.line();
        first.comes(Schedulers.immediate()).subscribe();
        for (int i = 0; i < 20_000; i++) {
            String name = "t" + i;
            ReflectorGroup.Turn turn = one.line();
            turn.comes(Schedulers.immediate()).subscribe(null, null, () -> {
                came.add(name);
                turn.end();
            });
        }
        first.end();
        assertThat(came).hasSize(20_000).startsWith("t0", "t1").endsWith("t19999");
    }

    /** Law 15: who finds late what another one found first ends nothing. */
    @Test
    void anEpochIsOverOnce() {
        ReflectorGroup.Epoch first = group.epoch();
        first.over().subscribe(null, null, () -> came.add("first"));
        group.isOver(first);
        ReflectorGroup.Epoch second = group.epoch();
        second.over().subscribe(null, null, () -> came.add("second"));
        group.isOver(first);
        assertThat(group.epoch()).isSameAs(second).isNotSameAs(first);
        assertThat(came).containsExactly("first");
    }

    private ReflectorGroup.Turn take(String name) {
        ReflectorGroup.Turn turn = group.line();
        turn.comes(Schedulers.immediate()).subscribe(null, null, () -> came.add(name));
        return turn;
    }
}
