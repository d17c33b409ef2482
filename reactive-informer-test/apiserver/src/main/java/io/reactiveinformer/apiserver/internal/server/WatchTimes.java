package io.reactiveinformer.apiserver.internal.server;

import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * The times of watches and bookmarks, and the server's features for watches.
 *
 * @param shortest the shortest lifetime of a watch that names no timeout; the longest is twice this
 * @param bookmarks the time between bookmarks; null for none
 * @param cached whether the server has a watch cache
 * @param sharded whether it supports shard selectors; otherwise it ignores them
 */
public record WatchTimes(Duration shortest, @Nullable Duration bookmarks, boolean cached, boolean sharded, Random random) {

    /** The time before the end of a watch at which it sends a bookmark. */
    static final Duration BEFORE_THE_END = Duration.ofSeconds(2);

    /** The shortest watch that sends a bookmark: the server checks once a second whether one is due. */
    static final Duration SHORTEST_WITH_BOOKMARK = BEFORE_THE_END.plusSeconds(1);

    Duration timeout() {
        synchronized (random) {
            return shortest.plus(Duration.ofMillis((long) (random.nextDouble() * shortest.toMillis())));
        }
    }
}
