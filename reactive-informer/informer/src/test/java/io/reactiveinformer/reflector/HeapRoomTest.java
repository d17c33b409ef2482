package io.reactiveinformer.reflector;

import io.reactiveinformer.resource.TransportException;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

class HeapRoomTest {

    private static final long MIB = 1 << 20;

    private final HeapRoom room = new HeapRoom("pods.v1", kept(60, 0));

    @Test
    void aHeapIsFullWhereACollectionLeavesNearlyAll() {
        assertThatCode(() -> room.check(kept(60, 31), 100 * MIB, 100 * MIB)).doesNotThrowAnyException();
        assertThatThrownBy(() -> room.check(kept(60, 32), 98 * MIB, 100 * MIB)).isInstanceOf(TransportException.class)
                .hasMessage("cannot list pods.v1: the heap of this process is full after 0 objects of the list "
                        + "(100 MiB, of which 92 % are in use after a collection); raise -Xmx, or cache fewer objects");
    }

    /** Garbage between two collections, and what the last one left and a later one has not. */
    @Test
    void whatIsNotUsedNowOrWasNotLeftDoesNotCount() {
        assertThatCode(() -> room.check(kept(10, 10), 99 * MIB, 100 * MIB)).doesNotThrowAnyException();
        assertThatCode(() -> room.check(kept(60, 39), 20 * MIB, 100 * MIB)).doesNotThrowAnyException();
    }

    /** The serial collector fills the tenured generation to the last byte, and leaves the rest in eden. */
    @Test
    void aPoolThatIsFullBothTimesDoesNotHideTheOthers() {
        var full = new HeapRoom("pods.v1", kept(68, 25));
        assertThatCode(() -> full.check(kept(68, 25), 98 * MIB, 100 * MIB)).as("not collected since").doesNotThrowAnyException();
        assertThatThrownBy(() -> full.check(kept(68, 26), 98 * MIB, 100 * MIB)).isInstanceOf(TransportException.class);
    }

    /** Between two checks a heap with a few megabytes left must not become full. */
    @Test
    void aLongListIsCheckedOften() {
        assertThat(IntStream.rangeClosed(1, 1200).filter(HeapRoom::isDue)).containsExactly(1000, 1050, 1100, 1150, 1200);
    }

    private static long[] kept(long tenured, long eden) {
        return new long[] {tenured * MIB, eden * MIB};
    }

    /** This process has room. */
    @Test
    void asksTheMachineWithoutFailing() {
        for (int object = 0; object < 10 * HeapRoom.FIRST; object++) {
            room.check();
        }
    }
}
