package io.reactiveinformer.controller;

import io.reactiveinformer.queue.Result;
import java.time.Duration;

/**
 * One request was worked on.
 *
 * @param number counts the requests of a controller, from 1, without a gap
 * @param result where it failed, {@link Result#failed} with the cause; where it took too long, with a {@link ReconcileTimeoutException}
 * @param took how long that was
 */
public record Reconciled<K>(long number, Request<K> request, Result result, Duration took) {}
