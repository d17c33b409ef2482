package io.reactiveinformer.view;

import java.time.Duration;

/**
 * For how long a {@link Memory} keeps deletions, as in {@code Retention.of(ofMinutes(5)).atMost(10_000)}. Rows that exist are kept anyway:
 * they need no retention. Immutable.
 *
 * @param time older deletions are forgotten
 * @param deletions of more deletions than this, the oldest are forgotten
 */
public record Retention(Duration time, int deletions) {

    /** @throws IllegalArgumentException if {@code time} is zero or negative, or {@code deletions} is less than 1 */
    public Retention {
        if (time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("a retention must be longer than zero, was " + time);
        }
        if (deletions < 1) {
            throw new IllegalArgumentException("deletions must be at least 1, was " + deletions);
        }
    }

    /** Keeps deletions for this time, and at most 10,000 of them. */
    public static Retention of(Duration time) {
        return new Retention(time, 10_000);
    }

    /** A copy that keeps at most this number of deletions. Each needs the memory of the last state of its row. */
    public Retention atMost(int most) {
        return new Retention(time, most);
    }
}
