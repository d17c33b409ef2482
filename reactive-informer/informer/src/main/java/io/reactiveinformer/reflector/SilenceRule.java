package io.reactiveinformer.reflector;

import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * How far a server's silence is trusted. A watch from a version that is in the server's future is accepted and sends nothing, not even
 * bookmarks, and later skips what happened until that version: only a list can distinguish such silence from quiet.
 */
final class SilenceRule {

    /**
     * Servers with a watch cache send a bookmark each minute; one that sent some, and now none for several minutes, does not know our
     * version.
     */
    static final Duration BOOKMARKS_MISSED = Duration.ofMinutes(3);

    private final Scheduler timer;
    private final Duration verifyAfter;
    private boolean known;
    private boolean sendsBookmarks;
    private long heardAt;

    /** @param known whether our version is from this server; if not, it may be from another one, or from this one before it was restored */
    SilenceRule(Scheduler timer, Duration verifyAfter, boolean known) {
        this.timer = timer;
        this.verifyAfter = verifyAfter;
        this.known = known;
        this.heardAt = now();
    }

    /** The server has sent something that shows that it knows our version. */
    void received(boolean bookmark) {
        heardAt = now();
        known = true;
        sendsBookmarks |= bookmark;
    }

    /** A watch has ended in order without an event. Returns why a list has to verify this; null if none is needed yet. */
    @Nullable String doubtAfterSilence(Duration lasted) {
        if (lasted.compareTo(BOOKMARKS_MISSED) >= 0 && (sendsBookmarks || !known)) {
            sendsBookmarks = false; // until it sends one again: its replacement may not
            return "no bookmark for " + lasted.toSeconds() + " s from a server that "
                    + (known ? "sends them" : "has not shown yet that it knows the version to start from");
        }
        Duration silent = Duration.ofNanos(now() - heardAt);
        return silent.compareTo(verifyAfter) >= 0 ? "nothing was received for " + silent.toMinutes() + " min" : null;
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }
}
