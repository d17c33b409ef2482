package io.reactiveinformer.view;

/**
 * The state of one subscription to the changes of a view, at the moment of the call.
 *
 * @param name as set by {@link Delivery#named}; empty if none was set
 * @param backlog the number of changes that wait for demand; if the delivery is conflated, at most one for each row
 * @param emitted the number of changes that were emitted to it so far, with the rows that are compared after some were missed
 * @param conflated the number of changes that were not emitted to it, because later ones of the same rows replaced them
 * @param missed the number of changes that were dropped before this, since more waited than {@link Delivery#every} allows; only a handler,
 *     and a subscriber with {@link Audited#of}, go on after that
 */
public record SubscriberStatus(String name, int backlog, long emitted, long conflated, long missed) {}
