package io.reactiveinformer.controller;

import java.time.Instant;
import java.util.List;

/**
 * A key that is not worked on until a cache has seen what was written for it.
 *
 * @param until what the key waits for: {@code pods.v1 prod/web-1 in resourceVersion 4711}
 * @param since when the work on it ended, by the timer of the queue
 */
public record Held<K>(K key, List<String> until, Instant since) {
    public Held {
        until = List.copyOf(until);
    }
}
