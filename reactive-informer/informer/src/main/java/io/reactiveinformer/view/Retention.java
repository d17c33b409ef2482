package io.reactiveinformer.view;

import java.time.Duration;

/**
 * For how long a {@link Memory} keeps deletions, and earlier states if asked for, as in {@code Retention.of(ofMinutes(5)).atMost(10_000)}.
 * Rows that exist are kept anyway: they need no retention. Immutable.
 *
 * @param time older deletions, and states before older changes, are forgotten, at the latest with the next change
 * @param deletions of more deletions than this, the oldest are forgotten
 * @param history of more changes than this, the states before the oldest are forgotten; see {@link #withHistory}
 */
public record Retention(Duration time, int deletions, int history) {

    /**
     * @throws IllegalArgumentException if {@code time} is zero or negative, {@code deletions} is less than 1, or {@code history} is negative
     */
    public Retention {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("a retention must be longer than zero, was " + time);
        }
        if (deletions < 1) {
            throw new IllegalArgumentException("deletions must be at least 1, was " + deletions);
        }
        if (history < 0) {
            throw new IllegalArgumentException("history must be zero or more changes, was " + history);
        }
    }

    /** Keeps deletions for this time, and at most 10,000 of them. Keeps no earlier states. */
    public static Retention of(Duration time) {
        return new Retention(time, 10_000, 0);
    }

    /** A copy that keeps at most this number of deletions. Each needs the memory of the last state of its row. */
    public Retention atMost(int most) {
        return new Retention(time, most, history);
    }

    /**
     * A copy that also keeps the states of rows before the last {@code changes} changes, for {@link Memory#at} and {@link Memory#between}.
     * Each change needs about 200 bytes, and the memory of the state before it. Changes that became visible together, as by a list of the
     * server, are forgotten together, and at once if there are more of them than this.
     */
    public Retention withHistory(int changes) {
        return new Retention(time, deletions, changes);
    }
}
