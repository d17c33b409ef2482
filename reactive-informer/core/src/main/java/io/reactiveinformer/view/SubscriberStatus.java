package io.reactiveinformer.view;

/**
 * How one subscription to the changes of a view stood when it was asked about.
 *
 * @param name by {@link Delivery#named}; empty where it was given none
 * @param backlog how many changes wait for its demand; conflated, that is one for each row that it has to be told of
 * @param told how many changes it was given so far
 * @param conflated how many it need not be given, since a later one of the same row says all
 */
public record SubscriberStatus(String name, int backlog, long told, long conflated) {}
