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
    private boolean known;
    private boolean sendsBookmarks;
    private long heardAt;

    /** @param known whether it is the server itself that we have our version from; else it may have been another, or this one before it was restored */
    Trust(Scheduler timer, Duration verifyAfter, boolean known) {
        this.timer = timer;
        this.verifyAfter = verifyAfter;
        this.known = known;
        this.heardAt = now();
    }

    /** The server has said something that shows that it knows where we are. */
    void heard(boolean bookmark) {
        heardAt = now();
        known = true;
        sendsBookmarks |= bookmark;
    }

    /** A watch has ended in order and has said nothing. Returns why this is to be verified by a list; null if it need not be, yet. */
    @Nullable String doubtAfterSilence(Duration lasted) {
        if (lasted.compareTo(BOOKMARKS_MISSED) >= 0 && (sendsBookmarks || !known)) {
            sendsBookmarks = false; // until it sends one again: it may have been replaced by one that does not
            return "no bookmark for " + lasted.toSeconds() + " s from a server that "
                    + (known ? "sends them" : "has not shown yet that it knows the version to start from");
        }
        Duration silent = Duration.ofNanos(now() - heardAt);
        return silent.compareTo(verifyAfter) >= 0 ? "nothing was heard for " + silent.toMinutes() + " min" : null;
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }
}
