package io.reactiveinformer.view;

import com.sun.management.ThreadMXBean;
import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Versioned;
import io.reactiveinformer.store.Table;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import reactor.core.scheduler.Schedulers;

import static org.assertj.core.api.Assertions.assertThat;

/** What a memory costs, in heap and in time. Prints what it has measured; the bounds are wider than that. */
@Timeout(300)
class MemoryCostTest {

    private static final int OBJECT = 384; // with its header 0.4 KB
    private static final Retention FIVE_MINUTES = Retention.of(Duration.ofMinutes(5));

    /** A cache of objects; each change brings another instance of the key, as when an event is decoded. */
    private static final class Cache {

        private final Table<ObjectKey, byte[]> table = Table.create();
        private final ChangeHub<ObjectKey, byte[]> hub;
        private final Random random = new Random(4711);
        private final int rows;
        private long version;

        Cache(int rows) {
            this.rows = rows;
            for (int i = 0; i < rows; i++) {
                put(i);
            }
            table.commit(true);
            hub = ChangeHub.of(table.snapshot());
        }

        private static ObjectKey key(int i) {
            return ObjectKey.of("namespace-" + i % 50, "deployment-" + i + "-5d8f7b9c6d-x2x7k");
        }

        private void put(int i) {
            Versioned<byte[]> before = table.find(key(i));
            String uid = before == null ? new UUID(random.nextLong() & ~0xF000L | 0x4000, random.nextLong() >>> 2 | 1L << 63).toString()
                    : before.uid();
            table.put(key(i), Versioned.packed(uid, "" + ++version, new byte[OBJECT]), DeletionCause.OBSERVED);
        }

        /** @param deletions of a hundred changes, half of them deletions and half additions */
        void change(int changes, int deletions) {
            for (int i = 0; i < changes; i++) {
                int row = random.nextInt(rows);
                if (random.nextInt(100) < deletions && table.find(key(row)) != null) {
                    table.remove(key(row), DeletionCause.OBSERVED, "" + ++version);
                } else {
                    put(row);
                }
                hub.publish(table.commit(true));
            }
        }

        Memory<ObjectKey, byte[]> remembering(Retention retention) {
            return new HubView<>(table::snapshot, hub).remembering(retention);
        }
    }

    private static long usedHeap() {
        long least = Long.MAX_VALUE;
        for (int i = 0; i < 5; i++) {
            System.gc();
            least = Math.min(least, Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory());
        }
        return least;
    }

    /** The heap of a cache after five minutes of 100 changes/s, with the memory if there is a retention. */
    private static long heap(int deletions, @Nullable Retention retention) {
        long before = usedHeap();
        var cache = new Cache(10_000);
        Memory<ObjectKey, byte[]> memory = retention == null ? null : cache.remembering(retention);
        cache.change(30_000, deletions);
        long after = usedHeap();
        assertThat(cache.rows).isPositive(); // reachable until now
        if (memory != null) {
            memory.close();
        }
        return after - before;
    }

    private static double ratio(int deletions, Retention retention) {
        long without = heap(deletions, null);
        long with = heap(deletions, retention);
        double ratio = (double) with / without;
        System.out.printf("%d %% deletions, at most %d: %d KB without, %d KB with a memory: %.2f%n", deletions, retention.deletions(),
                without >> 10, with >> 10, ratio);
        return ratio;
    }

    @Test
    void heapIsAFractionOfTheCache() {
        ratio(0, FIVE_MINUTES); // classes
        assertThat(ratio(0, FIVE_MINUTES)).isLessThan(1.6);
        assertThat(ratio(5, FIVE_MINUTES)).isLessThan(1.6);
        assertThat(ratio(20, FIVE_MINUTES.atMost(2_000))).isLessThan(1.6);
        long without = heap(0, FIVE_MINUTES);
        long history = heap(0, FIVE_MINUTES.withHistory(30_000)) - without;
        System.out.printf("a history: %d bytes a change, of which the state before has %d%n", history / 30_000, OBJECT + 80);
        assertThat(heap(0, FIVE_MINUTES.withHistory(10))).as("of ten changes").isLessThan(without * 11 / 10);
        System.out.printf("all deletions of a view of which a fifth of the changes are such: %.2f%n", ratio(20, FIVE_MINUTES));
    }

    @Test
    void aDifferenceCostsWhatDiffersAndNotTheRows() {
        long garbageOfFew = difference(10_000);
        long garbageOfMany = difference(100_000);
        assertThat(garbageOfMany).isLessThan(garbageOfFew * 3 / 2);
    }

    /** The garbage of a difference of 1,000 changes. */
    private static long difference(int rows) {
        var cache = new Cache(rows);
        Memory<ObjectKey, byte[]> memory = cache.remembering(FIVE_MINUTES);
        var allocated = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long[] nanos = new long[200];
        long garbage = 0;
        for (int i = 0; i < nanos.length; i++) {
            String position = memory.position();
            cache.change(1_000, 10);
            List<Remembered<ObjectKey, byte[]>> received = new ArrayList<>(1_100);
            long before = allocated.getCurrentThreadAllocatedBytes();
            long begin = System.nanoTime();
            memory.changesSince(position, Delivery.conflated().on(Schedulers.immediate())).subscribe(received::add).dispose();
            nanos[i] = System.nanoTime() - begin;
            garbage = allocated.getCurrentThreadAllocatedBytes() - before;
            assertThat(received).hasSizeBetween(800, 1_001).last().isInstanceOf(Remembered.Synced.class);
        }
        Arrays.sort(nanos);
        System.out.printf("1,000 changes among %d rows: p50 %.2f ms, p99 %.2f ms, %d bytes of garbage a change%n", rows,
                nanos[100] / 1e6, nanos[197] / 1e6, garbage / 1_000);
        assertThat(nanos[100] / 1e6).isLessThan(5);
        return garbage;
    }
}
