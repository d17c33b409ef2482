package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Commit;
import io.reactiveinformer.store.Table;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.time.Duration;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

import static org.assertj.core.api.Assertions.assertThat;

/** What is left where many changes were removed. */
class ChangeLogTest {

    private static final int ROWS = 100_000;
    private static final int REMOVED = 50_000; // not so many that the log becomes shorter by itself
    private static final int TIMES = 20_000;

    /** Of many subscribers that are at one place before a long gap, not each walks over it. */
    @Test
    void aLongGapIsWalkedOnce() {
        Table<Integer, String> table = Table.create();
        var log = new ChangeLog<>(Retention.of(Duration.ofMinutes(5)).atMost(10), table.snapshot(), 0);
        for (int i = 0; i < ROWS; i++) {
            table.put(i, Versioned.packed("" + i, "" + i, ""), DeletionCause.OBSERVED);
            Commit<Integer, String> added = table.commit(true);
            log.apply(added, 0);
        }
        for (int i = 1; i <= REMOVED; i++) {
            table.remove(i, DeletionCause.OBSERVED, "" + (ROWS + i));
            log.apply(table.commit(true), 0);
        }
        ThreadMXBean threads = ManagementFactory.getThreadMXBean();
        long begun = threads.getCurrentThreadCpuTime();
        long found = IntStream.range(0, TIMES).filter(n -> log.next(1, Long.MAX_VALUE - 1).key() == REMOVED + 1).count();
        long each = (threads.getCurrentThreadCpuTime() - begun) / TIMES;
        assertThat(found).isEqualTo(TIMES);
        assertThat(each).as("nanoseconds; a walk over %s gaps takes some 20,000", REMOVED).isLessThan(5_000);
    }
}
