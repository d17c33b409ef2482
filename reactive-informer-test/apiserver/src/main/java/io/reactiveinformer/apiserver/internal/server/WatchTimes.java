package io.reactiveinformer.apiserver.internal.server;

import java.time.Duration;
import java.util.Random;
import org.jspecify.annotations.Nullable;

/**
 * When watches are ended, when bookmarks are sent, and what the server offers beside.
 *
 * @param shortest a watch that names no timeout lives between this and twice this
 * @param bookmarks between one bookmark and the next; null for none
 * @param cached whether the server has a watch cache
 * @param sharded whether it selects by shards when it is asked to; otherwise it does not hear that
 */
public record WatchTimes(Duration shortest, @Nullable Duration bookmarks, boolean cached, boolean sharded, Random random) {

    /** Bookmarks come this long before the end. */
    static final Duration BEFORE_THE_END = Duration.ofSeconds(2);

    /** The server looks once a second whether one is due. */
    static final Duration SHORTEST_WITH_BOOKMARK = BEFORE_THE_END.plusSeconds(1);

    Duration timeout() {
        synchronized (random) {
            return shortest.plus(Duration.ofMillis((long) (random.nextDouble() * shortest.toMillis())));
        }
    }
}
