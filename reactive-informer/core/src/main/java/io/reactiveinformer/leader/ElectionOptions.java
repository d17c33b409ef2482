package io.reactiveinformer.leader;

import io.reactiveinformer.internal.TimerThread;
import java.time.Duration;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How a candidate behaves. A {@code with} method gives a copy that differs in one thing.
 *
 * @param identity our name in the lease
 * @param leaseDuration for how long others must see the lease unchanged before one of them takes it. In whole seconds, as the lease says it
 * @param renewDeadline after how long without a renewal we stop leading
 * @param retryPeriod between one renewal and the next; a follower looks after this and up to {@value #JITTER} times as much again
 * @param releaseOnCancel whether the lease is given back when the candidacy ends, so that the next need not wait until it expires
 * @param labels that the lease is to have, besides what it has
 * @param workers where work is subscribed to, and states are delivered
 * @param timer tells the time, and runs every pause and time limit, and so the end of a term: what blocks it delays that. Its nanoseconds are the
 *     monotonic clock, its milliseconds the time of day, as of every {@link Scheduler} of Reactor
 * @param random numbers in [0, 1), for the length of pauses
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

    /** Not the clients' timer: a term's end cancels work, which is not ours, and shall not hold up their time limits. */
    private static final Scheduler TIMER = TimerThread.scheduler("leader-election");

    private static final Duration SECOND = Duration.ofSeconds(1);

    public ElectionOptions {
        labels = Map.copyOf(labels);
        if (identity.isEmpty()) {
            throw new IllegalArgumentException("identity must not be empty: a lease without a holder is free");
        }
        if (retryPeriod.isNegative() || retryPeriod.isZero()) {
            throw new IllegalArgumentException("retryPeriod must be longer than nothing, was " + retryPeriod);
        }
        if (renewDeadline.toNanos() <= retryPeriod.toNanos() * JITTER) {
            throw new IllegalArgumentException("renewDeadline must be longer than " + JITTER + " * retryPeriod (" + retryPeriod
                    + "), or one late renewal ends a term; was " + renewDeadline);
        }
        if (leaseDuration.compareTo(renewDeadline) <= 0) {
            throw new IllegalArgumentException("leaseDuration must be longer than renewDeadline (" + renewDeadline
                    + "), or others take the lease while we still lead; was " + leaseDuration);
        }
        if (leaseDuration.getNano() != 0 || leaseDuration.getSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException("leaseDuration must be in whole seconds, as a lease says it, was " + leaseDuration);
        }
    }

    /**
     * 15 s, 10 s and 2 s as client-go's clients have them, released on cancel, by a name made of the host's and chance, with a timer that all electors of
     * these options share with nobody else, so that who blocks another one does not delay the end of a term. It runs in real time: a test in virtual time says
     * {@link #withTimer}.
     */
    public static ElectionOptions defaults() {
        return new ElectionOptions(
                uniqueName(), Duration.ofSeconds(15), Duration.ofSeconds(10), Duration.ofSeconds(2), true, Map.of(),
                Schedulers.parallel(), TIMER, () -> ThreadLocalRandom.current().nextDouble());
    }

    private static String uniqueName() {
        ThreadLocalRandom random = ThreadLocalRandom.current();
        return System.getenv().getOrDefault("HOSTNAME", "candidate") + "_" + new UUID(random.nextLong(), random.nextLong());
    }

    public ElectionOptions withIdentity(String other) {
        return new ElectionOptions(other, leaseDuration, renewDeadline, retryPeriod, releaseOnCancel, labels, workers, timer, random);
    }

    /** Of which one cannot be changed without a look at the others. */
    public ElectionOptions withTimings(Duration otherLeaseDuration, Duration otherRenewDeadline, Duration otherRetryPeriod) {
        return new ElectionOptions(
                identity, otherLeaseDuration, otherRenewDeadline, otherRetryPeriod, releaseOnCancel, labels, workers, timer, random);
    }

    public ElectionOptions withReleaseOnCancel(boolean other) {
        return new ElectionOptions(identity, leaseDuration, renewDeadline, retryPeriod, other, labels, workers, timer, random);
    }

    public ElectionOptions withLabels(Map<String, String> other) {
        return new ElectionOptions(identity, leaseDuration, renewDeadline, retryPeriod, releaseOnCancel, other, workers, timer, random);
    }

    public ElectionOptions withWorkers(Scheduler other) {
        return new ElectionOptions(identity, leaseDuration, renewDeadline, retryPeriod, releaseOnCancel, labels, other, timer, random);
    }

    public ElectionOptions withTimer(Scheduler other) {
        return new ElectionOptions(identity, leaseDuration, renewDeadline, retryPeriod, releaseOnCancel, labels, workers, other, random);
    }

    public ElectionOptions withRandom(DoubleSupplier other) {
        return new ElectionOptions(identity, leaseDuration, renewDeadline, retryPeriod, releaseOnCancel, labels, workers, timer, other);
    }

    /** How long one try may take: one that hangs leaves time for another within the deadline. As client-go's time limit of a request. */
    Duration tryLimit() {
        Duration half = renewDeadline.dividedBy(2);
        return half.compareTo(SECOND) < 0 ? SECOND : half;
    }

    /** Before a follower looks again; at random, so that those who wait do not come together. */
    Duration drawPause() {
        return retryPeriod.plusNanos((long) (retryPeriod.toNanos() * JITTER * random.getAsDouble()));
    }
}
