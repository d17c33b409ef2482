package io.reactiveinformer.reflector;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.delta.Known;
import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.resource.ResourceVersion;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.DoubleSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;

/**
 * How a reflector keeps up. The defaults are meant for production; a method named after one gives a copy that differs in it.
 *
 * @param known states held already: what a list or watch tells again in the same version is not decoded again but is that very object
 * @param consistency what the first list may be answered from
 * @param streaming whether the complete state is asked for as a streaming list where the server can; no by default. A streaming list takes less of the
 *     server's memory, and more of its time and of the network: it is neither compressed nor shared between clients
 * @param pageSize most items in one answer
 * @param watchTimeout a watch asks the server to end it after a time between this and twice this
 * @param verifyAfter after how long without a word from the server a list makes sure that nothing was missed; a second or more
 * @param backoff pauses after failures
 * @param giveUpWhen which disruption ends the stream, with its cause, instead of being waited out. One that throws ends it too, with an
 *     {@link IllegalStateException} that says so
 * @param startFrom the version up to which {@code known} is complete, from which to watch without a list; null to list first
 * @param group what is shared with the other reflectors of the same server
 * @param observer hears what is done
 * @param timer runs every pause and time limit; by default {@link Schedulers#single}, where no subscriber is delivered that could hold it up
 * @param random numbers in [0, 1), for watch timeouts and the length of pauses
 */
public record ReflectorOptions<T>(
        Known<T> known,
        Consistency consistency,
        boolean streaming,
        int pageSize,
        Duration watchTimeout,
        Duration verifyAfter,
        Backoff backoff,
        Predicate<? super ReflectorEvent.Disrupted<?>> giveUpWhen,
        @Nullable String startFrom,
        ReflectorGroup group,
        ReflectorObserver observer,
        Scheduler timer,
        DoubleSupplier random) {

    /** What the first list may be answered from. Whatever comes later is never older than what was seen. */
    public enum Consistency {
        /** Whatever the server has at hand, which may be some seconds old: cheapest for it. */
        ANY,
        /** The state as it is now: the server asks its store, or waits until its cache has caught up. */
        MOST_RECENT
    }

    /** One answer's worth of memory on the server; client-go's and kubectl's choice too. */
    private static final int PAGE_SIZE = 500;

    /** Long enough that reconnecting costs nothing, short enough that silence is noticed. With its double, client-go's choice too. */
    private static final Duration WATCH_TIMEOUT = Duration.ofMinutes(5);

    /** Only of servers that send no bookmarks, where a quiet namespace and a lost watch look alike: two lists an hour settle it. */
    private static final Duration VERIFY_AFTER = Duration.ofMinutes(30);

    /** Two requests a minute at most to a server that is down for long, and back within two seconds when it was only restarted. */
    private static final Backoff BACKOFF = Backoff.between(Duration.ofMillis(800), Duration.ofSeconds(30));

    public ReflectorOptions {
        if (pageSize < 1) {
            throw new IllegalArgumentException("pageSize must be at least 1, was " + pageSize);
        }
        if (watchTimeout.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("watchTimeout must be at least 1s, was " + watchTimeout);
        }
        if (verifyAfter.compareTo(Duration.ofSeconds(1)) < 0) {
            throw new IllegalArgumentException("verifyAfter must be at least 1s, or a server that closes each watch at once is listed without a pause; was "
                    + verifyAfter);
        }
        if (startFrom != null && (startFrom.isEmpty() || startFrom.equals(ResourceVersion.ANY))) {
            throw new IllegalArgumentException("startFrom must be a resourceVersion that the server sent, up to which what is known is complete, was \""
                    + startFrom + "\"; without one, list");
        }
    }

    public static <T> ReflectorOptions<T> defaults() {
        return new ReflectorOptions<>(Known.none(), Consistency.ANY, false, PAGE_SIZE, WATCH_TIMEOUT, VERIFY_AFTER, BACKOFF,
                disruption -> false, null, ReflectorGroup.create(), ReflectorObserver.NONE, Schedulers.single(),
                () -> ThreadLocalRandom.current().nextDouble());
    }

    /** Without a version to start from, which would be another's. */
    public <R> ReflectorOptions<R> known(Known<R> other) {
        return new ReflectorOptions<>(
                other, consistency, streaming, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, null, group, observer, timer, random);
    }

    public ReflectorOptions<T> consistency(Consistency other) {
        return new ReflectorOptions<>(
                known, other, streaming, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, startFrom, group, observer, timer, random);
    }

    public ReflectorOptions<T> streaming(boolean other) {
        return new ReflectorOptions<>(
                known, consistency, other, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, startFrom, group, observer, timer, random);
    }

    public ReflectorOptions<T> pageSize(int other) {
        return new ReflectorOptions<>(
                known, consistency, streaming, other, watchTimeout, verifyAfter, backoff, giveUpWhen, startFrom, group, observer, timer, random);
    }

    public ReflectorOptions<T> watchTimeout(Duration other) {
        return new ReflectorOptions<>(
                known, consistency, streaming, pageSize, other, verifyAfter, backoff, giveUpWhen, startFrom, group, observer, timer, random);
    }

    public ReflectorOptions<T> verifyAfter(Duration other) {
        return new ReflectorOptions<>(
                known, consistency, streaming, pageSize, watchTimeout, other, backoff, giveUpWhen, startFrom, group, observer, timer, random);
    }

    public ReflectorOptions<T> backoff(Backoff other) {
        return new ReflectorOptions<>(
                known, consistency, streaming, pageSize, watchTimeout, verifyAfter, other, giveUpWhen, startFrom, group, observer, timer, random);
    }

    public ReflectorOptions<T> giveUpWhen(Predicate<? super ReflectorEvent.Disrupted<?>> other) {
        return new ReflectorOptions<>(
                known, consistency, streaming, pageSize, watchTimeout, verifyAfter, backoff, other, startFrom, group, observer, timer, random);
    }

    /**
     * Goes on without a list from what an earlier process saved. A server whose history does not reach back so far gets its list after all,
     * and so does one that says nothing at all to the first watch. An informer begins with these objects in its cache, and serves them at once.
     *
     * @param resourceVersion up to which {@code saved} is complete; one that the server sent, never "0" or none
     * @param saved what was held. It is not written to, and an informer reads it once
     */
    public ReflectorOptions<T> startFrom(String resourceVersion, Known<T> saved) {
        return new ReflectorOptions<>(
                saved, consistency, streaming, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, resourceVersion, group, observer, timer, random);
    }

    public ReflectorOptions<T> group(ReflectorGroup other) {
        return new ReflectorOptions<>(
                known, consistency, streaming, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, startFrom, other, observer, timer, random);
    }

    public ReflectorOptions<T> observer(ReflectorObserver other) {
        return new ReflectorOptions<>(
                known, consistency, streaming, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, startFrom, group, other, timer, random);
    }

    public ReflectorOptions<T> timer(Scheduler other) {
        return new ReflectorOptions<>(
                known, consistency, streaming, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, startFrom, group, observer, other, random);
    }

    public ReflectorOptions<T> random(DoubleSupplier other) {
        return new ReflectorOptions<>(
                known, consistency, streaming, pageSize, watchTimeout, verifyAfter, backoff, giveUpWhen, startFrom, group, observer, timer, other);
    }

    /** How long the next watch is asked to last. */
    Duration drawTimeout() {
        return watchTimeout.plus(Duration.ofMillis(Math.round(watchTimeout.toMillis() * random.getAsDouble())));
    }
}
