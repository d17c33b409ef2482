package io.reactiveinformer.view;

import io.reactiveinformer.resource.KubernetesException;

/** A subscriber that wanted every change was too slow for them. It can subscribe again, and starts from what is there then. */
public final class BacklogOverflowException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    private final int limit;

    BacklogOverflowException(int limit) {
        super("more than " + limit + " changes wait for a subscriber that asked for every one of them; request them faster, allow more,"
                + " or take Delivery.conflated(), which keeps the latest state of each row", null);
        this.limit = limit;
    }

    public int limit() {
        return limit;
    }
}
