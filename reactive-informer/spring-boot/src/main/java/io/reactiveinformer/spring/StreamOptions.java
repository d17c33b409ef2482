package io.reactiveinformer.spring;

import io.reactiveinformer.view.Retention;
import java.time.Duration;

/**
 * Options of a {@link RowStream}. Immutable: each method returns a copy that differs in one thing.
 *
 * @param name names the subscriptions in status and metrics
 * @param retention for how long a browser may be away and continue; 5 minutes, and at most 10,000 deletions, unless set
 * @param pulse a {@code pulse} is sent at this pace, so that a page knows since when it hears nothing; 15 seconds unless set. The stream of a
 *     browser that reads nothing for 20 of them ends
 * @param retry after which time a browser connects again; a second unless set
 * @param subscribers the most browsers at a time; 10,000 unless set
 * @param selections the most different selections and rights at a time, each of which has its own rows in memory; 100 unless set
 */
public record StreamOptions(String name, Retention retention, Duration pulse, Duration retry, int subscribers, int selections) {

    /** @throws IllegalArgumentException if a number or a time is not positive */
    public StreamOptions {
        if (subscribers < 1 || selections < 1 || pulse.toMillis() < 1 || retry.isNegative()) {
            throw new IllegalArgumentException("subscribers, selections and the pulse must be positive, and retry not negative; were "
                    + subscribers + ", " + selections + ", " + pulse + ", " + retry);
        }
    }

    /** The defaults. */
    public static StreamOptions named(String name) {
        return new StreamOptions(name, Retention.of(Duration.ofMinutes(5)), Duration.ofSeconds(15), Duration.ofSeconds(1), 10_000, 100);
    }

    /** A copy that remembers deletions for this time and this number. */
    public StreamOptions withRetention(Retention other) {
        return new StreamOptions(name, other, pulse, retry, subscribers, selections);
    }

    /** A copy with another pace of the pulse. */
    public StreamOptions withPulse(Duration other) {
        return new StreamOptions(name, retention, other, retry, subscribers, selections);
    }

    /** A copy whose browsers connect again after another time. */
    public StreamOptions withRetry(Duration other) {
        return new StreamOptions(name, retention, pulse, other, subscribers, selections);
    }

    /** A copy that serves at most so many browsers at a time; others are refused with 503. */
    public StreamOptions withSubscribers(int most) {
        return new StreamOptions(name, retention, pulse, retry, most, selections);
    }

    /** A copy that serves at most so many different selections and rights at a time; others are refused with 503. */
    public StreamOptions withSelections(int most) {
        return new StreamOptions(name, retention, pulse, retry, subscribers, most);
    }
}
