package io.reactiveinformer.internal;

import java.util.concurrent.atomic.AtomicInteger;

/**
 * Counts how often memory was short in this process. What was under way then may have been lost without a word anywhere, in a library or in a timer: whoever
 * keeps such a thing compares the count, and makes it anew.
 */
public final class MemoryShortages {

    private static final AtomicInteger ENDED = new AtomicInteger();

    private MemoryShortages() {}

    /** So many are over. */
    public static int ended() {
        return ENDED.get();
    }

    /** One is over. Allocates nothing. */
    public static void end() {
        ENDED.incrementAndGet();
    }
}
