package io.reactiveinformer.view;

import io.reactiveinformer.resource.KubernetesException;
import java.time.Instant;

/**
 * A subscriber with {@link Delivery#every} was too slow for the changes. It can subscribe again, and then starts with the rows of that
 * time; {@link Audited#of} does so, and says what is missing.
 */
public final class BacklogOverflowException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    private final String subscriber;
    private final int limit;
    private final int waiting;
    private final Instant since;

    /** @param what more than what may wait */
    BacklogOverflowException(String what, int limit, String subscriber, int waiting, Instant since) {
        super((subscriber.isEmpty() ? "" : subscriber + ": ") + what + " wait for a subscriber with Delivery.every(…), which receives none of"
                + " them; " + waiting + " wait, the first since " + since + ": subscribe again to begin with the present rows, or take"
                + " Audited.of(…), which goes on; and take changes faster, allow more, or use Delivery.conflated(), which keeps the latest"
                + " state of each row", null);
        this.subscriber = subscriber;
        this.limit = limit;
        this.waiting = waiting;
        this.since = since;
    }

    /** The {@linkplain Delivery#named name} of the subscription; empty if it has none. */
    public String subscriber() {
        return subscriber;
    }

    /** The number of changes that were allowed to wait. */
    public int limit() {
        return limit;
    }

    /** The number of changes that waited, and that the subscriber does not receive. */
    public int waiting() {
        return waiting;
    }

    /** Since when changes waited without a moment in which there were none. */
    public Instant since() {
        return since;
    }
}
