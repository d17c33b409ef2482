package io.reactiveinformer.reflector;

import io.reactiveinformer.internal.PageGuard;
import io.reactiveinformer.resource.ObjectEvent;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;

/** Notices a list in pages that would not end, that would take hours, or that would fill the heap. For one list; not thread-safe. */
final class ListGuard {

    /** Most times that one object may come while the list doubles. A server that repeats itself would go on forever. */
    static final int MOST_REPEATS = 100;

    /** A page of fewer objects is nearly empty, unless no more were asked for. */
    static final int FEW = 10;

    /** This many nearly empty pages of one list are requested without a pause: some aggregated API servers filter, or cut pages by time. */
    static final int MOST_FEW_PAGES = 100;

    /** Pause before each further nearly empty page. A server's token is valid for minutes, and so for some thousand pages. */
    static final Duration PAGE_SPACING = Duration.ofMillis(100);

    /** After this time, a list has to bring an object each {@link #SLOWEST} on average. */
    static final Duration SLOW_START = Duration.ofMinutes(3);

    /** A list that is slower, such as one whose bytes come one by one, would take hours: the server's own limit is a minute. */
    static final Duration SLOWEST = Duration.ofSeconds(10);

    private final String cannotList;
    private final int few;
    private final Scheduler timer;
    private final HeapRoom room;
    private final PageGuard pages = new PageGuard();

    /** How many objects the current page has brought so far, how many pages were nearly empty, and whether the last one was. */
    private int onPage;
    private int fewPages;
    private boolean isFew;

    /**
     * One object, replaced each time the list has doubled, and how often it has come again: Brent's algorithm for finding a cycle, in
     * constant space.
     */
    private @Nullable ObjectKey landmark;
    private int repeats;

    /** How many items and pages have come, and when the first of them did. */
    private int received;
    private long firstAt;

    /** @param what is listed */
    ListGuard(String what, int pageSize, Scheduler timer) {
        this.cannotList = "cannot list " + what + ": ";
        this.few = Math.min(FEW, pageSize);
        this.timer = timer;
        this.room = new HeapRoom(what, null);
    }

    /** Completes when the next page may be requested. */
    Mono<Long> pause() {
        return isFew && fewPages > MOST_FEW_PAGES ? Mono.delay(PAGE_SPACING, timer) : Mono.empty();
    }

    /** An object has come, or the end of a page. Throws if the list is to be given up. */
    void received(ObjectEvent<?> event) {
        checkPace();
        ObjectKey key = event.key();
        if (key != null) {
            checkCircle(key);
            room.check();
            onPage++;
            pages.object(key);
        }
        if (event instanceof ObjectEvent.PageEnd<?> end) {
            isFew = onPage < few;
            fewPages += isFew ? 1 : 0;
            onPage = 0;
            String next = end.continueToken();
            String why = pages.turn(next == null || next.isEmpty() ? null : next);
            if (why != null) {
                throw Outcome.PageLost.thrown(cannotList + why);
            }
        }
    }

    private void checkPace() {
        long now = timer.now(TimeUnit.NANOSECONDS);
        firstAt = received++ == 0 ? now : firstAt;
        Duration lasted = Duration.ofNanos(now - firstAt);
        if (lasted.compareTo(SLOW_START) >= 0 && lasted.compareTo(SLOWEST.multipliedBy(received)) > 0) {
            throw new TransportException(
                    cannotList + "only " + received + " objects and pages came in " + lasted.toSeconds() + " s", null);
        }
    }

    private void checkCircle(ObjectKey key) {
        if (key.equals(landmark) && ++repeats >= MOST_REPEATS) {
            throw Outcome.PageLost.thrown(cannotList + "of " + received + " objects and pages, " + key + " came " + repeats + " times");
        }
        if (Integer.bitCount(received) == 1) {
            landmark = key;
            repeats = 0;
        }
    }
}
