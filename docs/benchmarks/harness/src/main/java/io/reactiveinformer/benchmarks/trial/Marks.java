package io.reactiveinformer.benchmarks.trial;

import java.util.BitSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.HdrHistogram.Histogram;
import org.jspecify.annotations.Nullable;

/** The marks that a handler receives. */
final class Marks implements Contender.Handler {

    final Histogram delays = new Histogram(TimeUnit.MINUTES.toNanos(10), 3);
    private final BitSet finals = new BitSet();
    private volatile CountDownLatch missing = new CountDownLatch(Integer.MAX_VALUE);
    private int found;
    private long told;

    @Override
    public synchronized void handle(@Nullable String mark) {
        if (mark == null || mark.startsWith("0000000000000000000")) {
            return;
        }
        told++;
        delays.recordValue(Math.max(System.nanoTime() - Long.parseLong(mark, 0, 19, 10), 0));
        if (mark.charAt(19) == '1') {
            int pod = Integer.parseInt(mark, 20, 27, 10);
            if (!finals.get(pod)) {
                finals.set(pod);
                found++;
                missing.countDown();
            }
        }
    }

    synchronized long told() {
        return told;
    }

    synchronized void clear() {
        finals.clear();
        delays.reset();
        found = 0;
        told = 0;
    }

    void await(int count) throws InterruptedException {
        int seen = awaitFor(count, 600);
        if (seen != count) {
            throw new IllegalStateException("told of " + seen + " of " + count + " last states");
        }
    }

    /** The number of last states that the handler received within the time. */
    int awaitFor(int count, int seconds) throws InterruptedException {
        CountDownLatch latch;
        synchronized (this) {
            latch = new CountDownLatch(Math.max(count - found, 0));
            missing = latch;
        }
        latch.await(seconds, TimeUnit.SECONDS);
        synchronized (this) {
            return found;
        }
    }
}
