package io.reactiveinformer.queue;

import java.time.Duration;

/**
 * The outcome of the work on one key.
 *
 * @param key the key
 * @param result the result; {@link Result#failed} if the work failed or threw
 * @param retries the number of failures of the key in a row before this work
 * @param took how long the work took, by the timer of the queue
 */
public record Outcome<K>(K key, Result result, int retries, Duration took) {}
