package io.reactiveinformer.reflector;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * What the reflectors of one server share: whether it still has the history that they know, and whether streaming lists work there. Pass
 * the same group to each by {@link ReflectorOptions#group}. Thread-safe.
 *
 * <p>{@link ReflectorOptions#defaults} makes a new one each time, so that informers of one factory share it and those of two factories do
 * not. How many of them list at once is limited by {@link io.reactiveinformer.client.ClientOptions#listsAtOnce} of their client.
 */
public final class ReflectorGroup {

    /** How long a server that refused a streaming list is asked for pages only: it may be upgraded, or behind a balancer with others. */
    static final Duration STREAMING_AGAIN = Duration.ofHours(1);

    private final AtomicReference<Epoch> epoch = new AtomicReference<>(new Epoch());
    private volatile @Nullable Long pagedSince;

    private ReflectorGroup() {}

    /** A group without members. */
    public static ReflectorGroup create() {
        return new ReflectorGroup();
    }

    boolean doesStreamingLists(Scheduler timer) {
        Long since = pagedSince;
        return since == null || timer.now(TimeUnit.NANOSECONDS) - since >= STREAMING_AGAIN.toNanos();
    }

    void refusedStreamingList(Scheduler timer) {
        pagedSince = timer.now(TimeUnit.NANOSECONDS);
    }

    /** The history of the server as far as any member knows. */
    Epoch epoch() {
        return Objects.requireNonNull(epoch.get(), "there is always one");
    }

    /** A member has found that the server has another history: the others have to list too. Takes effect once for each epoch. */
    void isOver(Epoch ended) {
        if (epoch.compareAndSet(ended, new Epoch())) {
            ended.over.tryEmitEmpty();
        }
    }

    /** One history of the server, until it is restored or replaced. */
    static final class Epoch {
        private final Sinks.Empty<Void> over = Sinks.empty();

        Mono<Void> over() {
            return over.asMono();
        }
    }
}
