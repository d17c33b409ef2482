package io.reactiveinformer.reflector;

import io.reactiveinformer.resource.TransportException;
import java.lang.management.ManagementFactory;
import java.lang.management.MemoryPoolMXBean;
import java.lang.management.MemoryType;
import java.lang.management.MemoryUsage;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Checks whether the heap has room for the objects that a listing collects, which are not published until the listing is complete: a server
 * may send new objects without end. Counts what the last collections of the heap have left, not garbage: a list of any length passes
 * through a small heap if little of it is kept.
 */
final class HeapRoom {

    /**
     * The heap is full when this much of it is in use after a collection. Then there is hardly time for anything but the next collection,
     * and soon an OutOfMemoryError, which may hit any thread. (The parallel collector throws earlier, when collecting takes most of the
     * time.)
     */
    static final int FULL_PERCENT = 92;

    /** A list of fewer objects never fails because of the heap. */
    static final int FIRST = 1000;

    /**
     * From then on the heap is checked once per this many objects: with their garbage a few hundred kilobytes, less than a collection that
     * leaves a full heap sets free.
     */
    static final int EACH = 50;

    /** Apart, as a short list needs none of it, and it loads a hundred classes. */
    private static final class Heap {

        /** Empty on a virtual machine that does not report them, such as that of a native image. Then the heap is never full. */
        static final List<MemoryPoolMXBean> POOLS = ManagementFactory.getMemoryPoolMXBeans().stream()
                .filter(pool -> pool.getType() == MemoryType.HEAP).toList();
    }

    private final String what;
    private long @Nullable [] keptBefore;
    private int objects;

    /**
     * @param what is listed
     * @param keptBefore what the last collection of each pool had left; null for what it has left at the first check
     */
    HeapRoom(String what, long @Nullable [] keptBefore) {
        this.what = what;
        this.keptBefore = keptBefore;
    }

    /** Called before each object is collected. Throws {@link TransportException} if there is no room. */
    void check() {
        if (isDue(++objects) && !Heap.POOLS.isEmpty()) {
            long[] keptNow = keptByCollections();
            keptBefore = keptBefore == null ? keptNow : keptBefore;
            check(keptNow, inUse(), Runtime.getRuntime().maxMemory());
        }
    }

    static boolean isDue(int objects) {
        return objects >= FIRST && objects % EACH == 0;
    }

    /**
     * Throws if there is no room. If no pool was collected since the first check, what was kept before may be garbage by now. All pools
     * are compared: one that is full to the last byte looks the same after each collection, however full the others get.
     *
     * @param keptNow what the last collection of each pool left, of which some may be garbage by now
     * @param used all that is in use, garbage or not
     */
    void check(long[] keptNow, long used, long max) {
        long kept = Arrays.stream(keptNow).sum();
        if (isFull(kept, max) && isFull(used, max) && !Arrays.equals(keptNow, keptBefore)) {
            String share = kept * 100 / max + " % are in use after a collection";
            throw new TransportException("cannot list " + what + ": the heap of this process is full after "
                    + objects + " objects of the list ("
                    + (max >> 20) + " MiB, of which " + share + "); raise -Xmx, or cache fewer objects", null);
        }
    }

    private static boolean isFull(long bytes, long max) {
        return bytes >= max / 100 * FULL_PERCENT;
    }

    /** What the last collection of each pool left. */
    private static long[] keptByCollections() {
        return Heap.POOLS.stream().mapToLong(pool -> {
            MemoryUsage usage = pool.getCollectionUsage(); // null if the pool is not collected
            return usage == null ? 0 : usage.getUsed();
        }).toArray();
    }

    private static long inUse() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
