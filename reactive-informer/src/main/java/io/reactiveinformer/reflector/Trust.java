package io.reactiveinformer.reflector;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * How far a server's silence is believed. A watch from a version that is in the server's future is accepted and says nothing, not even
 * bookmarks, and later skips what happened until that version: only a list can tell such silence from quiet.
 */
final class Trust {

    /** Servers with a watch cache send a bookmark each minute; who sent some, and now none for several minutes, has not heard of our version. */
    static final Duration BOOKMARKS_MISSED = Duration.ofMinutes(3);

    private final Scheduler timer;
    private final Duration verifyAfter;
    private boolean sendsBookmarks;
    private long heardAt;

    Trust(Scheduler timer, Duration verifyAfter) {
        this.timer = timer;
        this.verifyAfter = verifyAfter;
        this.heardAt = now();
    }

    /** The server has said something that shows that it knows where we are. */
    void heard(boolean bookmark) {
        heardAt = now();
        sendsBookmarks |= bookmark;
    }

    /** A watch has ended in order and has said nothing. Returns why this is to be verified by a list; null if it need not be, yet. */
    @Nullable String doubtAfterSilence(Duration lasted) {
        if (sendsBookmarks && lasted.compareTo(BOOKMARKS_MISSED) >= 0) {
            return "no bookmark for " + lasted.toSeconds() + " s from a server that sends them";
        }
        Duration silent = Duration.ofNanos(now() - heardAt);
        return silent.compareTo(verifyAfter) >= 0 ? "nothing was heard for " + silent.toMinutes() + " min" : null;
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }
}
