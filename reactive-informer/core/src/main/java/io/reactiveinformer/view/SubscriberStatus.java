package io.reactiveinformer.view;

/**
 * The state of one subscription to the changes of a view, at the moment of the call.
 *
 * @param name as set by {@link Delivery#named}; empty if none was set
 * @param backlog how many changes wait for its demand; if it is conflated, at most one for each row
 * @param told how many changes it has received so far
 * @param conflated how many changes were not emitted to it, because a later one of the same row replaced them
 */
public record SubscriberStatus(String name, int backlog, long told, long conflated) {}
