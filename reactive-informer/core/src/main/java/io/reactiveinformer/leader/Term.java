package io.reactiveinformer.leader;

import io.reactiveinformer.internal.Moment;
import java.time.Duration;
import reactor.core.scheduler.Scheduler;

/** One term of leadership. Thread-safe. */
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
     * The lease's count of transitions. Greater than that of each term before, of any candidate, as long as the lease is not deleted. A
     * receiver of writes can refuse those with a smaller token than it has seen (fencing).
     */
    public long token() {
        return token;
    }

    /**
     * Whether this term is not over: no other candidate can lead yet, by the current time of both clocks of this process. After the process
     * was frozen, or its machine suspended, this is false before the timers of the process fire.
     */
    public boolean holds() {
        return !remaining().isZero();
    }

    /** How long this term lasts if it is not renewed; zero when it is over, never negative. */
    public Duration remaining() {
        Duration left = over ? Duration.ZERO : length.minus(sinceRenewed());
        return left.isNegative() ? Duration.ZERO : left;
    }

    /** The time since the last request that won or renewed it was sent. */
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
