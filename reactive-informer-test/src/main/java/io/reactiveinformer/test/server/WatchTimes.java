package io.reactiveinformer.test.server;

import java.time.Duration;
import java.util.Random;

/**
 * When watches are ended, and when bookmarks are sent.
 *
 * @param shortest a watch that names no timeout lives between this and twice this
 * @param bookmarks between one bookmark and the next
 */
public record WatchTimes(Duration shortest, Duration bookmarks, Random random) {

    /** Bookmarks come this long before the end. */
    static final Duration BEFORE_THE_END = Duration.ofSeconds(2);

    Duration timeout() {
        synchronized (random) {
            return shortest.plus(Duration.ofMillis((long) (random.nextDouble() * shortest.toMillis())));
        }
    }
}
