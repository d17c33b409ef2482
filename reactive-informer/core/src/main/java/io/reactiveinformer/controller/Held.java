package io.reactiveinformer.controller;

import java.time.Instant;
import java.util.List;

/**
 * A key that is not worked on until what was written for it is seen.
 *
 * @param until what is waited for: {@code pods.v1 prod/web-1 in resourceVersion 4711}
 * @param since when its work ended, by the timer of the queue
 */
public record Held<K>(K key, List<String> until, Instant since) {
    public Held {
        until = List.copyOf(until);
    }
}
