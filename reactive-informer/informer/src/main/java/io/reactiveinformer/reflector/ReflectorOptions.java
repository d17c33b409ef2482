package io.reactiveinformer.reflector;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.delta.ReflectorEvent;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How a reflector keeps up with the server. The defaults are meant for production; each {@code with} method gives a copy with another value
 * of one option.
 *
 * @param consistency what the first list may be answered from
 * @param streaming whether the complete state is requested as a streaming list if the server supports it; no by default. A streaming list
 *     takes less of the server's memory, and more of its time and of the network: it is neither compressed nor shared between clients
 * @param pageSize most items in one answer
 * @param watchTimeout a watch asks the server to end it after a time between this and twice this
 * @param verifyAfter after how long a silence of the server a list verifies that nothing was missed; a second or more
 * @param backoff pauses after failures; after a refusal that must be fixed by hand, such as 403, they grow to 60 s all the same
 * @param giveUpWhen which disruption ends the stream, with its cause, instead of being waited out. If it throws, the stream of a reflector
 *     ends too, with an {@link IllegalStateException}; an informer logs that and goes on
 * @param group what is shared with the other reflectors of the same server
 * @param observer notified of what the reflector does
 * @param timer runs every pause and time limit; by default {@link Schedulers#single}, where no subscriber is delivered that could delay it
 * @param random numbers in [0, 1), for watch timeouts and the length of pauses
 */
public record ReflectorOptions(
        Consistency consistency,
        boolean streaming,
        int pageSize,
        Duration watchTimeout,
        Duration verifyAfter,
        Backoff backoff,
        Predicate<? super ReflectorEvent.Disrupted<?>> giveUpWhen,
        Reflector.Group group,
        Reflector.Observer observer,
        Scheduler timer,
        DoubleSupplier random) {

    /** What the first list may be answered from. Later lists are never older than what was received. */
    public enum Consistency {
        /** Any state that the server has at hand, which may be some seconds old: cheapest for it. */
        ANY,
        /** The state as it is now: the server asks its store, or waits until its cache has caught up. */
        MOST_RECENT
    }

    /** Limits the memory that one answer takes on the server; the choice of client-go and kubectl too. */
    private static final int PAGE_SIZE = 500;

    /** Long enough that reconnecting costs nothing, short enough that silence is noticed. With its double, client-go's choice too. */
    private static final Duration WATCH_TIMEOUT = Duration.ofMinutes(5);

    /** For servers that send no bookmarks, where a quiet namespace and a lost watch look alike: two lists an hour suffice. */
    private static final Duration VERIFY_AFTER = Duration.ofMinutes(30);

    /** Two requests a minute at most to a server that is down for long; resumed within two seconds if it was only restarted. */
    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(800), Duration.ofSeconds(30));

    /** @throws IllegalArgumentException if a number or a duration is too small */
    public ReflectorOptions {
        if (pageSize < 1) {
            throw new IllegalArgumentException("pageSize must be at least 1, was " + pageSize);
        }
        if (watchTimeout.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("watchTimeout must be at least 1s, was " + watchTimeout);
        }
        if (verifyAfter.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException(
                    "verifyAfter must be at least 1s, or a server that closes each watch at once is listed without a pause; was "
                    + verifyAfter);
        }
    }

    /**
     * The defaults: lists in pages of 500 items from any state, watches of 5 to 10 minutes, verification after 30 minutes of silence,
     * pauses from 0.8 s to 30 s, and a new {@link Reflector.Group}.
     */
    public static ReflectorOptions defaults() {
        return new ReflectorOptions(Consistency.ANY, false, PAGE_SIZE, WATCH_TIMEOUT, VERIFY_AFTER, BACKOFF,
                disruption -> false, Reflector.Group.create(), Reflector.Observer.NONE, Schedulers.single(),
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /** A copy whose first list is answered from {@code other}. */
    public ReflectorOptions withConsistency(Consistency other) {
        return new ReflectorOptions(
                other, streaming, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, group, observer, timer,
                random);
    }

    /** A copy that requests streaming lists, or not. */
    public ReflectorOptions withStreaming(boolean other) {
        return new ReflectorOptions(
                consistency, other, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, group, observer, timer,
                random);
    }

    /**
     * A copy with at most {@code other} items in one answer.
     *
     * @throws IllegalArgumentException if {@code other} is less than 1
     */
    public ReflectorOptions withPageSize(int other) {
        return new ReflectorOptions(
                consistency, streaming, other, watchTimeout, verifyAfter, backoff, giveUpWhen, group, observer, timer,
                random);
    }

    /**
     * A copy whose watches last between {@code other} and twice that.
     *
     * @throws IllegalArgumentException if {@code other} is less than 1 s
     */
    public ReflectorOptions withWatchTimeout(Duration other) {
        return new ReflectorOptions(
                consistency, streaming, pageSize, other, verifyAfter, backoff, giveUpWhen, group, observer, timer,
                random);
    }

    /**
     * A copy that verifies by a list after a silence of {@code other}.
     *
     * @throws IllegalArgumentException if {@code other} is less than 1 s
     */
    public ReflectorOptions withVerifyAfter(Duration other) {
        return new ReflectorOptions(
                consistency, streaming, pageSize, watchTimeout, other, backoff, giveUpWhen, group, observer, timer,
                random);
    }

    /** A copy with these pauses after failures. */
    public ReflectorOptions withBackoff(Backoff other) {
        return new ReflectorOptions(
                consistency, streaming, pageSize, watchTimeout, verifyAfter, other, giveUpWhen, group, observer, timer,
                random);
    }

    /** A copy that ends the stream, with the cause, at the first disruption that {@code other} accepts. */
    public ReflectorOptions withGiveUpWhen(Predicate<? super ReflectorEvent.Disrupted<?>> other) {
        return new ReflectorOptions(
                consistency, streaming, pageSize, watchTimeout, verifyAfter, backoff, other, group, observer, timer,
                random);
    }

    /** A copy that shares {@code other} with the other reflectors of the same server. */
    public ReflectorOptions withGroup(Reflector.Group other) {
        return new ReflectorOptions(
                consistency, streaming, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, other, observer,
                timer, random);
    }

    /** A copy that notifies {@code other}, instead of the observer so far; see {@link Reflector.Observer#and}. */
    public ReflectorOptions withObserver(Reflector.Observer other) {
        return new ReflectorOptions(
                consistency, streaming, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, group, other, timer,
                random);
    }

    /** A copy whose pauses and time limits run on {@code other}. */
    public ReflectorOptions withTimer(Scheduler other) {
        return new ReflectorOptions(
                consistency, streaming, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, group, observer,
                other, random);
    }

    /** A copy with another source of random numbers in [0, 1). */
    public ReflectorOptions withRandom(DoubleSupplier other) {
        return new ReflectorOptions(
                consistency, streaming, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, group, observer,
                timer, other);
    }

    /** Draws how long the next watch is asked to last. */
    Duration drawTimeout() {
        return watchTimeout.plus(Duration.ofMillis(Math.round(watchTimeout.toMillis() * random.getAsDouble())));
    }
}
