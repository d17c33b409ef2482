package io.reactiveinformer;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;

/**
 * What a piece of work costs the thread that does it: CPU time and bytes allocated. Neither depends on what else the machine does.
 *
 * @param nanos of CPU time
 * @param bytes allocated, of which most may be garbage already
 */
public record Cost(long nanos, long bytes) {

    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();

    /** Of the cheapest of some runs: classes are loaded, compiled and thrown out of compiled code in the others. */
    private static final int RUNS = 4;

    /** Of one run. */
    public static Cost of(Runnable work) {
        long nanos = THREADS.getCurrentThreadCpuTime();
        long bytes = THREADS.getCurrentThreadAllocatedBytes();
        work.run();
        return new Cost(THREADS.getCurrentThreadCpuTime() - nanos, THREADS.getCurrentThreadAllocatedBytes() - bytes);
    }

    /** Of one run, or of the cheapest of some where the first is above {@code limit}. */
    public static Cost within(Cost limit, Runnable work) {
        Cost least = of(work);
        for (int run = 1; run < RUNS && least.exceeds(limit); run++) {
            Cost again = of(work);
            least = new Cost(Math.min(least.nanos, again.nanos), Math.min(least.bytes, again.bytes));
        }
        return least;
    }

    /**
     * Fails if the work costs more than a constant and so much for each byte of its input.
     *
     * @param length of the input
     */
    public static void assertLinear(int length, Cost constant, Cost aByte, String what, Runnable work) {
        var limit = new Cost(constant.nanos + length * aByte.nanos, constant.bytes + length * aByte.bytes);
        Cost cost = within(limit, work);
        if (cost.exceeds(limit)) {
            throw new AssertionError(what + ": " + length + " bytes of input cost " + cost + ", expected at most " + limit);
        }
    }

    public boolean exceeds(Cost limit) {
        return nanos > limit.nanos || bytes > limit.bytes;
    }

    @Override
    public String toString() {
        return nanos / 1_000_000 + " ms of CPU time and " + (bytes >> 10) + " KiB";
    }
}
