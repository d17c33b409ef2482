package io.reactiveinformer.controller;

import io.reactiveinformer.queue.Result;
import java.time.Duration;

/**
 * The result of one request.
 *
 * @param number counts the results of a controller, from 1, without a gap
 * @param request the request that was worked on
 * @param result after a failure, {@link Result#failed} with the cause; after a timeout, with a {@link ReconcileTimeoutException}
 * @param took how long the work took, by the timer of the queue
 */
public record Reconciled<K>(long number, Request<K> request, Result result, Duration took) {}
