package io.reactiveinformer.reflector;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.backoff.Backoff.Delays;
import io.reactiveinformer.resource.ForbiddenException;
import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.NotFoundException;
import io.reactiveinformer.resource.Status;
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
 * <li>If no server answers, the pauses grow less, since such a try costs next to nothing, and a server that comes back should be noticed
 *     soon. The connection was refused, or was closed before an answer, or a balancer answered that it has no server.
 * <li>A list that follows from what a watch said, such as 410, has pauses of its own, since a server that says so is well: they grow where
 *     that happens again and again, and only time or a connection without an answer makes them start over. A server that says 410 after
 *     each list would cost a list a second otherwise.
 * </ul>
 */
final class RetryPauses {

    /**
     * Longest pause after a refusal that a person has to resolve: one or two tries in two minutes, so that this person does not wait long.
     */
    static final Duration LONGEST_WHEN_REFUSED = Duration.ofSeconds(60);

    /** The longest pause while no server answers, before its random part. */
    static final Duration LONGEST_WHEN_UNREACHABLE = Duration.ofSeconds(3);

    /** Limit of the random part of that, in proportion: the server is asked five seconds after it is back, and in sync after six. */
    private static final double SPREAD_WHEN_UNREACHABLE = 0.6;

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
    private int failedSinceList;
    private int listsSinceList;
    private boolean refusing;

    RetryPauses(Backoff backoff, Scheduler timer, DoubleSupplier random) {
        this.delays = backoff.delays(timer, random);
        this.unreachable = backoff.withJitter(Math.min(backoff.jitter(), SPREAD_WHEN_UNREACHABLE)).delays(timer, random);
        this.relists = backoff.delays(timer, random);
        this.random = random;
        this.timer = timer;
        this.longest = backoff.max();
        this.countedAt = now();
    }

    /** How many tries in a row have failed, where a complete list counts only if it shows that the next try may be better. */
    int failures() {
        return atOnce + delays.failures() + unreachable.failures() + lists;
    }

    /** How many tries have failed since the position was advanced or a complete state was listed, or a try went on for long. */
    int attempt() {
        return atOnce + failedSinceList + unreachable.failures() + listsSinceList;
    }

    /** @param wentWell whether the watch that failed had been useful until then */
    Duration pauseAfter(KubernetesException cause, boolean wentWell) {
        if (wentWell && cause instanceof TransportException && mayResumeAtOnce()) {
            atOnce = 1;
            return spread(SOON);
        }
        boolean noServer = isFromNoServer(cause);
        if (noServer || isCausedBy(SSLException.class, cause)) {
            relists.reset(); // a server that was restarted has forgotten its history, however often that is
        }
        if (noServer) {
            return unreachable.next(retryAfter(cause), shorter(longest, LONGEST_WHEN_UNREACHABLE));
        }
        unreachable.reset();
        Duration pause = delays.next(retryAfter(cause), longestAfter(cause));
        failedSinceList = delays.failures() == 1 ? 1 : failedSinceList + 1;
        return pause;
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
            listsSinceList++;
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
        failedSinceList = 0;
        listsSinceList = 0;
        delays.reset();
        unreachable.reset();
    }

    /** A complete state was listed, which is progress, unless the next watch may be refused as the one was that led to it. */
    void listed() {
        atOnce = 0;
        failedSinceList = 0;
        listsSinceList = 0;
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
     * Whether nothing listened, or a balancer before the server closed the connection, or said that it has no server. A server that
     * answers, even with errors, is not restarting.
     */
    private static boolean isFromNoServer(KubernetesException cause) {
        return cause instanceof TransportException lost && (lost.beforeAnswer() || isCausedBy(ConnectException.class, cause))
                || cause instanceof StatusException refusal && refusal.status().hasCause(Status.NOT_FROM_A_SERVER);
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
