package io.reactiveinformer.reflector;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.backoff.Backoff.Delays;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import io.reactiveinformer.resource.UnauthorizedException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.DoubleSupplier;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;

/**
 * How long to pause before the next request.
 *
 * <ul>
 * <li>The first break of a useful watch does not count as a failure: it is resumed after {@link #SOON} to twice that. Such resumptions are
 *     limited: {@link #MOST_AT_ONCE} in a row, and one more each {@link #SPACING}. So a server that ends each watch at once, with news, is
 *     asked once a second on average, and one whose connections break so twice a second at most.
 * <li>What fails without progress is tried again after pauses that grow.
 * <li>A server that does not answer is tried again after pauses that grow less, since a refused connection costs next to nothing, and a
 *     server that comes back should be noticed soon.
 * <li>A list that follows from what a watch said, such as 410, has pauses of its own, since a server that says so is well: they grow where
 *     that happens again and again, and only time or a connection without an answer makes them start over. A server that says 410 after
 *     each list would cost a list a second otherwise.
 * </ul>
 */
final class Pace {

    /**
     * Longest pause after a refusal that a person has to resolve: one or two tries in two minutes, so that this person does not wait long.
     */
    static final Duration LONGEST_WHEN_REFUSED = Duration.ofSeconds(60);

    /**
     * The longest pause while connections are refused is between this and twice this: a server that is back is found within six seconds.
     */
    static final Duration LONGEST_WHEN_UNREACHABLE = Duration.ofSeconds(3);

    /**
     * Watches that end sooner than this, in order, follow each other after a pause between this and twice this once they may not resume at
     * once.
     */
    static final Duration SPACING = Duration.ofSeconds(1);

    /** Pause before a watch is resumed at once; spreads reflectors that were cut off together. */
    static final Duration SOON = Duration.ofMillis(25);

    /**
     * A watch that ended sooner than this, and sooner than requested, without an event, is not repeated at once. Balancers and proxies cut
     * quiet connections after 30 s or more, and servers after minutes: only a server that cannot serve ends one sooner, and it would be
     * asked six times a minute or more.
     */
    static final Duration BRIEF = Duration.ofSeconds(10);

    static final int MOST_AT_ONCE = 3;

    private final Delays delays;
    private final Delays unreachable;
    private final Delays relists;
    private final DoubleSupplier random;
    private final Scheduler timer;
    private final Duration longest;
    private int resumedAtOnce;
    private long countedAt;
    private int atOnce;
    private int lists;
    private boolean refusing;

    Pace(Backoff backoff, Scheduler timer, DoubleSupplier random) {
        this.delays = backoff.delays(timer, random);
        this.unreachable = backoff.delays(timer, random);
        this.relists = backoff.delays(timer, random);
        this.random = random;
        this.timer = timer;
        this.longest = backoff.max();
        this.countedAt = now();
    }

    /** How many tries in a row have failed. */
    int failures() {
        return atOnce + delays.failures() + unreachable.failures() + lists;
    }

    /** @param wentWell whether the watch that failed had been useful until then */
    Duration pauseAfter(KubernetesException cause, boolean wentWell) {
        if (wentWell && cause instanceof TransportException && mayResumeAtOnce()) {
            atOnce = 1;
            return spread(SOON);
        }
        if (broughtNoAnswer(cause)) {
            relists.reset(); // a server that was restarted has forgotten its history, however often that is
        }
        if (isCausedBy(ConnectException.class, cause)) {
            return unreachable.next(null, shorter(longest, LONGEST_WHEN_UNREACHABLE));
        }
        unreachable.reset();
        return delays.next(retryAfter(cause), longestAfter(cause));
    }

    /**
     * A watch ended so that everything is listed again.
     *
     * @param refused whether the watch itself was refused or could not be read, so that the next one may be, too: then a list is no
     *     progress
     */
    Duration pauseBeforeRelist(KubernetesException cause, boolean refused) {
        Duration apart = relists.next(retryAfter(cause), longest.multipliedBy(4).dividedBy(3));
        if (!refused) {
            lists++;
            return apart;
        }
        refusing = true;
        Duration pause = pauseAfter(cause, false);
        return apart.compareTo(pause) > 0 ? apart : pause;
    }

    /** The least pause that the server asks for; null if it asks for none. */
    static @Nullable Duration retryAfter(Throwable cause) {
        return cause instanceof StatusException refusal ? refusal.status().retryAfter() : null;
    }

    /** Whether a watch that ended in order has advanced the position, or stayed open as quiet ones do. */
    static boolean isUseful(boolean progressed, Duration lasted) {
        return progressed || lasted.compareTo(BRIEF) >= 0;
    }

    /** The pause after a useful watch that has ended in order, and soon. */
    Duration pauseBetweenWatches() {
        if (mayResumeAtOnce()) {
            return spread(SOON);
        }
        resumedAtOnce = MOST_AT_ONCE + 1; // this one counts too, or every second one would resume at once
        return spread(SPACING);
    }

    /** A watch has advanced the position. */
    void progress() {
        refusing = false;
        atOnce = 0;
        lists = 0;
        delays.reset();
        unreachable.reset();
    }

    /** A complete state was listed, which is progress, unless the next watch may be refused as the one was that led to it. */
    void listed() {
        atOnce = 0;
        unreachable.reset();
        if (!refusing) {
            delays.reset();
        }
    }

    private boolean mayResumeAtOnce() {
        long since = (now() - countedAt) / SPACING.toNanos();
        if (since > 0) {
            resumedAtOnce = (int) Math.max(0, resumedAtOnce - since);
            countedAt += since * SPACING.toNanos();
        }
        if (resumedAtOnce >= MOST_AT_ONCE) {
            return false;
        }
        resumedAtOnce++;
        return true;
    }

    /** A random pause between {@code least} and twice that. */
    private Duration spread(Duration least) {
        return least.plusMillis(Math.round(least.toMillis() * random.getAsDouble()));
    }

    private long now() {
        return timer.now(TimeUnit.NANOSECONDS);
    }

    /**
     * Whether nothing listened, or a proxy before the server closed the connection. A server that answers, even with errors, is not
     * restarting.
     */
    private static boolean broughtNoAnswer(KubernetesException cause) {
        return cause instanceof TransportException lost
                && (lost.beforeAnswer() || isCausedBy(ConnectException.class, cause) || isCausedBy(SSLException.class, cause));
    }

    private static boolean isCausedBy(Class<? extends Exception> kind, KubernetesException cause) {
        int depth = 0;
        for (@Nullable Throwable at = cause; at != null && depth < 20; at = at.getCause(), depth++) {
            if (kind.isInstance(at)) {
                return true;
            }
        }
        return false;
    }

    private static Duration shorter(Duration one, Duration other) {
        return one.compareTo(other) < 0 ? one : other;
    }

    private Duration longestAfter(KubernetesException cause) {
        boolean refused = cause instanceof UnauthorizedException
                || cause instanceof ForbiddenException
                || cause instanceof NotFoundException
                || cause instanceof InvalidRequestException;
        return refused && longest.compareTo(LONGEST_WHEN_REFUSED) < 0 ? LONGEST_WHEN_REFUSED : longest;
    }
}
