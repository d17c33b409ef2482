package io.reactiveinformer.leader;

import io.reactiveinformer.internal.SparedTimer;
import io.reactiveinformer.internal.operator.HostName;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * The options of a candidate. A {@code with} method returns a copy with one option changed. The constructor, and so each {@code with}
 * method, throws {@link IllegalArgumentException} unless the identity is not empty, {@code 0 < retryPeriod},
 * {@code retryPeriod * 1.2 < renewDeadline < leaseDuration}, and {@code leaseDuration} is in whole seconds.
 *
 * @param identity the name of this candidate in the lease
 * @param leaseDuration for how long another candidate must see the lease unchanged before it takes it. In whole seconds, as in the lease
 * @param renewDeadline the time without a renewal after which this candidate stops leading
 * @param retryPeriod the time between two renewals; a follower reads the lease after this and up to {@value #JITTER} times as much in
 *     addition
 * @param releaseOnCancel whether the lease is released when the candidacy ends, so that the next leader need not wait until it expires
 * @param labels added to the labels of the lease
 * @param workers the threads on which work is subscribed to, and states are delivered
 * @param timer measures time, and ends every pause and time limit, and so each term: a task that blocks it delays the end of a term. Its
 *     nanoseconds are the monotonic clock, its milliseconds the time of day, as of every {@link Scheduler} of Reactor
 * @param random random numbers in [0, 1), for the length of pauses
 */
public record ElectionOptions(
        String identity,
        Duration leaseDuration,
        Duration renewDeadline,
        Duration retryPeriod,
        boolean releaseOnCancel,
        Map<String, String> labels,
        Scheduler workers,
        Scheduler timer,
        DoubleSupplier random) {

    /** client-go's {@code JitterFactor}. */
    static final double JITTER = 1.2;

    /** Not the clients' timer: the end of a term cancels work of the user, which must not delay the time limits of the clients. */
    private static final Scheduler TIMER = SparedTimer.named("leader-election");

    private static final Duration SECOND = Duration.ofSeconds(1);

    /** @throws IllegalArgumentException if the identity is empty, or the durations do not leave time for a renewal */
    public ElectionOptions {
        labels = Map.copyOf(labels);
        if (identity.isEmpty()) {
            throw new IllegalArgumentException("identity must not be empty: a lease without a holder is free");
        }
        if (retryPeriod.isNegative() || retryPeriod.isZero()) {
            throw new IllegalArgumentException("retryPeriod must be longer than zero, was " + retryPeriod);
        }
        if (renewDeadline.toNanos() <= retryPeriod.toNanos() * JITTER) {
            throw new IllegalArgumentException("renewDeadline must be longer than " + JITTER + " * retryPeriod (" + retryPeriod
                    + "), or one late renewal ends a term; was " + renewDeadline);
        }
        if (leaseDuration.compareTo(renewDeadline) <= 0) {
            throw new IllegalArgumentException("leaseDuration must be longer than renewDeadline (" + renewDeadline
                    + "), or others take the lease while this candidate still leads; was " + leaseDuration);
        }
        if (leaseDuration.getNano() != 0 || leaseDuration.getSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("leaseDuration must be in whole seconds, as in the lease, was " + leaseDuration);
        }
    }

    /**
     * The timings 15 s, 10 s and 2 s of client-go's clients, release on cancel, and an identity made of the host name and a random part.
     * The timer is shared only by electors with these options, so that a task that blocks another timer does not delay the end of a term.
     * It runs in real time: for a test in virtual time call {@link #withTimer}.
     */
    public static ElectionOptions defaults() {
        return new ElectionOptions(
                uniqueName(), Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2), true, Map.of(),
                Schedulers.parallel(), TIMER, () -> ThreadLocalRandom.current().nextDouble());
    }

    private static String uniqueName() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return HostName.orElse("candidate") + "_" + new UUID(random.nextLong(), random.nextLong());
    }

    /** A copy with this {@link #identity}. */
    public ElectionOptions withIdentity(String other) {
        return new ElectionOptions(
                other, leaseDuration, renewDeadline, retryPeriod, releaseOnCancel, labels, workers, timer, random);
    }

    /** A copy with these timings; they are set together because each limits the others. */
    public ElectionOptions withTimings(Duration otherLeaseDuration, Duration otherRenewDeadline, Duration otherRetryPeriod) {
        return new ElectionOptions(
                identity, otherLeaseDuration, otherRenewDeadline, otherRetryPeriod, releaseOnCancel, labels, workers,
                timer, random);
    }

    /** A copy with this {@link #releaseOnCancel}. */
    public ElectionOptions withReleaseOnCancel(boolean other) {
        return new ElectionOptions(
                identity, leaseDuration, renewDeadline, retryPeriod, other, labels, workers, timer, random);
    }

    /** A copy with these {@link #labels}, which replace the present ones. */
    public ElectionOptions withLabels(Map<String, String> other) {
        return new ElectionOptions(
                identity, leaseDuration, renewDeadline, retryPeriod, releaseOnCancel, other, workers, timer, random);
    }

    /** A copy with these {@link #workers}. */
    public ElectionOptions withWorkers(Scheduler other) {
        return new ElectionOptions(
                identity, leaseDuration, renewDeadline, retryPeriod, releaseOnCancel, labels, other, timer, random);
    }

    /** A copy with this {@link #timer}. */
    public ElectionOptions withTimer(Scheduler other) {
        return new ElectionOptions(
                identity, leaseDuration, renewDeadline, retryPeriod, releaseOnCancel, labels, workers, other, random);
    }

    /** A copy with this {@link #random}. */
    public ElectionOptions withRandom(DoubleSupplier other) {
        return new ElectionOptions(
                identity, leaseDuration, renewDeadline, retryPeriod, releaseOnCancel, labels, workers, timer, other);
    }

    /** The time limit of one try, as client-go's of a request: a try that hangs leaves time for another one within the deadline. */
    Duration tryLimit() {
        Duration half = renewDeadline.dividedBy(2);
        return half.compareTo(SECOND) < 0 ? SECOND : half;
    }

    /** The pause before a follower reads the lease again; random, so that the followers do not send requests at the same time. */
    Duration drawPause() {
        return retryPeriod.plusNanos((long) (retryPeriod.toNanos() * JITTER * random.getAsDouble()));
    }
}
