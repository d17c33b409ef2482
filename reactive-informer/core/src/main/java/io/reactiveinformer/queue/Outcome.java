package io.reactiveinformer.queue;

import java.time.Duration;

/**
 * One key was worked on.
 *
 * @param retries how often in a row it had failed before
 * @param took how long that was
 */
public record Outcome<K>(K key, Result result, int retries, Duration took) {}
