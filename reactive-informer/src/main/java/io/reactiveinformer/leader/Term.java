package io.reactiveinformer.leader;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import reactor.core.scheduler.Scheduler;

/** One time of leading. Any thread may ask. */
public final class Term {

    private final long token;
    private final Scheduler clock;
    private volatile long deadline;
    private volatile boolean over;

    Term(long token, Scheduler clock, long deadline) {
        this.token = token;
        this.clock = clock;
        this.deadline = deadline;
    }

    /**
     * Greater than that of each term before, of any candidate, as long as the lease is not deleted: the lease's count of transitions. Who
     * receives our writes can refuse those that come with a smaller one than he has seen (fencing).
     */
    public long token() {
        return token;
    }

    /** Whether nobody else can lead yet, by our clock as it is now. Tells a process that was frozen what it has missed before its timers do. */
    public boolean holds() {
        return !over && deadline - now() > 0;
    }

    /** For how long it holds if it is not renewed; nothing when it is over. */
    public Duration remaining() {
        return over ? Duration.ZERO : Duration.ofNanos(Math.max(0, deadline - now()));
    }

    void extendTo(long later) {
        deadline = later;
    }

    void end() {
        over = true;
    }

    private long now() {
        return clock.now(TimeUnit.NANOSECONDS);
    }

    @Override
    public String toString() {
        return "term " + token;
    }
}
