package io.reactiveinformer.backoff;

import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/**
 * How long to wait before each of several tries in a row. The n-th delay is {@code first * factor^n}, at most {@code max}, and is then
 * lengthened by chance, so that many who failed together do not come back together.
 *
 * @param first the shortest delay; 1 ms or more
 * @param max the longest, before it is lengthened; a year at most, since who waits longer does not come back
 * @param factor how many times longer each is than the one before; 1 or more
 * @param jitter a delay {@code d} becomes one between {@code d} and {@code d * (1 + jitter)}; never shorter, so never near zero. 100 at
 *     most
 * @param resetAfter a try that went on for this long before it failed was a good one: the delays start over. Longer than nothing, or each would be
 *     the first
 */
public record Backoff(Duration first, Duration max, double factor, double jitter, Duration resetAfter) {

    private static final Duration YEAR = Duration.ofDays(365);

    public Backoff {
        if (first.compareTo(Duration.ofMillis(1)) < 0) {
            throw new IllegalArgumentException("first must be at least 1 ms, or a failing server is hammered; was " + first);
        }
        if (max.compareTo(YEAR) > 0) {
            throw new IllegalArgumentException("max must be at most a year (" + YEAR + "), was " + max);
        }
        if (resetAfter.isZero() || resetAfter.isNegative()) {
            throw new IllegalArgumentException("resetAfter must be longer than nothing, or the delays never grow; was " + resetAfter);
        }
        if (max.compareTo(first) < 0) {
            throw new IllegalArgumentException("max must be at least first (" + first + "), was " + max);
        }
        if (!(factor >= 1)) {
            throw new IllegalArgumentException("factor must be at least 1, was " + factor);
        }
        if (!(jitter >= 0 && jitter <= 100)) {
            throw new IllegalArgumentException("jitter must be from 0 (none) to 100, was " + jitter);
        }
    }

    /**
     * Each twice as long as the one before, lengthened by up to its own length, and starting over after a try that went well for {@code 4 * max}:
     * twice what the longest pause may come to, so that a server that stumbles along is not taken for one that is well again.
     */
    public static Backoff between(Duration first, Duration max) {
        return new Backoff(first, max, 2, 1, max.compareTo(YEAR) > 0 ? max : max.multipliedBy(4));
    }

    public Backoff withFactor(double other) {
        return new Backoff(first, max, other, jitter, resetAfter);
    }

    public Backoff withJitter(double other) {
        return new Backoff(first, max, factor, other, resetAfter);
    }

    public Backoff withResetAfter(Duration other) {
        return new Backoff(first, max, factor, jitter, other);
    }

    /** The delays of one series of tries, by the time of {@code clock}. */
    public Delays delays(Scheduler clock) {
        return delays(clock, () -> ThreadLocalRandom.current().nextDouble());
    }

    /** @param random gives numbers in [0, 1), from which each delay's lengthening is taken */
    public Delays delays(Scheduler clock, DoubleSupplier random) {
        return new Delays(this, clock, random);
    }

    /**
     * Tries again for ever, after these delays. They start over whenever the sequence has emitted something since the last failure.
     *
     * <pre>
     * source  ──a──✕      ──✕          ──b──✕
     * result  ──a── d ──── ── 2d ────── ──b── d ── …
     * </pre>
     */
    public Retry retry(Scheduler timer) {
        return retry(timer, failure -> null);
    }

    /** @param atLeast what the delay after a failure must not be shorter than, such as its Retry-After; null for no such limit */
    public Retry retry(Scheduler timer, Function<? super Throwable, @Nullable Duration> atLeast) {
        return retry(timer, atLeast, failure -> true);
    }

    /** @param worthwhile which failures to try again after; any other goes on to the subscriber */
    public Retry retry(Scheduler timer, Function<? super Throwable, @Nullable Duration> atLeast, Predicate<? super Throwable> worthwhile) {
        return Retry.from(signals -> Flux.defer(() -> {
            Delays delays = delays(timer);
            return signals.concatMap(signal -> {
                Throwable failure = signal.failure();
                if (!worthwhile.test(failure)) {
                    return Mono.<Long>error(failure);
                }
                if (signal.totalRetriesInARow() == 0) {
                    delays.reset();
                }
                return Mono.delay(delays.next(atLeast.apply(failure)), timer);
            });
        }));
    }
}
