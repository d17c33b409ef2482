package io.reactiveinformer.view;

import io.reactiveinformer.resource.KubernetesException;

/**
 * A subscriber with {@link Delivery#every} was too slow for the changes. It can subscribe again, and then starts with the rows of that
 * time.
 */
public final class BacklogOverflowException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    private final int limit;

    BacklogOverflowException(int limit) {
        this(limit, "more than " + limit
                + " changes wait for a subscriber with Delivery.every(…), which receives none of them: subscribe again to begin with"
                + " the present rows, and take changes faster, allow more, or use Delivery.conflated(), which keeps the latest state of"
                + " each row");
    }

    private BacklogOverflowException(int limit, String message) {
        super(message, null);
        this.limit = limit;
    }

    /** An overflow by lists, which do not count toward the limit, but need memory. */
    static BacklogOverflowException ofLists(int limit, long rows) {
        return new BacklogOverflowException(limit, "several lists of the server, which changed "
                + rows + " rows, wait for a subscriber with Delivery.every(…);"
                + " request changes faster, or take Delivery.conflated(), which keeps the latest state of each row");
    }

    /** The number of changes that were allowed to wait. */
    public int limit() {
        return limit;
    }
}
