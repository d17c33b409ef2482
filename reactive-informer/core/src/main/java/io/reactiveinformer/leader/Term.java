package io.reactiveinformer.leader;

import java.time.Duration;
import reactor.core.scheduler.Scheduler;

/** One time of leading. Any thread may ask. */
public final class Term {

    private final long token;
    private final Scheduler clock;
    private final Duration length;
    private volatile Moment renewed;
    private volatile boolean over;

    /** @param renewed when the request was sent that won the lease */
    Term(long token, Scheduler clock, Duration length, Moment renewed) {
        this.token = token;
        this.clock = clock;
        this.length = length;
        this.renewed = renewed;
    }

    /**
     * Greater than that of each term before, of any candidate, as long as the lease is not deleted: the lease's count of transitions. Who
     * receives our writes can refuse those that come with a smaller one than he has seen (fencing).
     */
    public long token() {
        return token;
    }

    /**
     * Whether nobody else can lead yet, by our clocks as they are now. Tells a process that was frozen, and one whose machine was suspended, what it has missed
     * before its timers do.
     */
    public boolean holds() {
        return !remaining().isZero();
    }

    /** For how long it holds if it is not renewed; nothing when it is over. */
    public Duration remaining() {
        Duration left = over ? Duration.ZERO : length.minus(sinceRenewed());
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** How long ago the last request was sent that won or renewed it. */
    Duration sinceRenewed() {
        return renewed.past(clock);
    }

    void renewed(Moment sent) {
        renewed = sent;
    }

    void end() {
        over = true;
    }

    boolean isOver() {
        return over;
    }

    @Override
    public String toString() {
        return "term " + token;
    }
}
