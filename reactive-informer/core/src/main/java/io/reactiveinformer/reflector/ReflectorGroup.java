package io.reactiveinformer.reflector;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import reactor.core.Exceptions;
import reactor.core.publisher.Mono;
import reactor.core.publisher.Sinks;
import reactor.core.scheduler.Scheduler;

/**
 * What the reflectors of one server share: how many of them list at once, and whether streaming lists work there. Give the same to each
 * by {@link ReflectorOptions#group}. Any thread may ask.
 *
 * <p>{@link ReflectorOptions#defaults} makes one each time, so that informers of one factory share it and those of two factories do not. However
 * many groups there are over one client, its {@link io.reactiveinformer.client.ClientOptions#listsAtOnce} holds for all of them.
 */
public final class ReflectorGroup {

    /**
     * Lists cost a server memory and time, and a hundred informers all list when it comes back. Eight keep it busy without filling the queue
     * of its fair sharing, which holds 50 for each flow.
     */
    public static final int LISTS_AT_ONCE = 8;

    /** Requests for one object are short: a hundred informers that lost their connections together have made theirs within a second or so. */
    static final int PROOFS_AT_ONCE = 8;

    /** How long a server that does not do streaming lists is asked for pages only: it may be upgraded, or behind a balancer with others. */
    static final Duration STREAMING_AGAIN = Duration.ofHours(1);

    private final int listsAtOnce;
    private final Queue<Turn> waiting = new ArrayDeque<>(); // guarded by itself, with listing
    private final AtomicInteger handing = new AtomicInteger();
    private int listing;
    private volatile Epoch epoch = new Epoch();
    private volatile @Nullable Long pagedSince;

    /** The line of those who prove their past: they do not wait for lists. Null in that line itself. */
    private final @Nullable ReflectorGroup proofs;

    private ReflectorGroup(int listsAtOnce, @Nullable ReflectorGroup proofs) {
        if (listsAtOnce < 1) {
            throw new IllegalArgumentException("listsAtOnce must be at least 1, was " + listsAtOnce);
        }
        this.listsAtOnce = listsAtOnce;
        this.proofs = proofs;
    }

    public static ReflectorGroup create() {
        return create(LISTS_AT_ONCE);
    }

    /**
     * @param listsAtOnce how many members may ask for a complete state at the same time; the others wait for their turn. A turn is over when the
     *     server has told all; who requests nothing while it still tells is cut off after 90 s
     */
    public static ReflectorGroup create(int listsAtOnce) {
        return new ReflectorGroup(listsAtOnce, new ReflectorGroup(PROOFS_AT_ONCE, null));
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
        return epoch;
    }

    /** A member has found that the server has another history: the others are to list, too. Once for each epoch. */
    void isOver(Epoch ended) {
        synchronized (waiting) {
            if (epoch != ended) {
                return;
            }
            epoch = new Epoch();
        }
        ended.over.tryEmitEmpty();
    }

    /** One history of the server, until it is restored or replaced. */
    static final class Epoch {
        private final Sinks.Empty<Void> over = Sinks.empty();

        Mono<Void> over() {
            return over.asMono();
        }
    }

    /** A place in the line of those who want to list. Must be ended, whether it has come or not. */
    Turn line() {
        var turn = new Turn();
        synchronized (waiting) {
            waiting.add(turn);
        }
        return turn;
    }

    /** A place in the line of those who prove their past. As {@link #line}. */
    Turn proofLine() {
        return Objects.requireNonNull(proofs).line();
    }

    /** Hands on all turns that are free. Who ends one while it is handed on, as lists that are told at once do, leaves it to whoever is at it. */
    private void next() {
        if (handing.getAndIncrement() != 0) {
            return;
        }
        int missed = 1;
        Throwable thrown = null;
        do {
            for (Turn turn = free(); turn != null; turn = free()) {
                try {
                    turn.come.tryEmitEmpty(); // outside the lock, since listing begins in it
                } catch (Throwable failure) {
                    turn.release(); // or nobody might
                    thrown = failure;
                }
            }
            missed = handing.addAndGet(-missed);
        } while (missed != 0);
        if (thrown != null) {
            throw Exceptions.propagate(thrown);
        }
    }

    private @Nullable Turn free() {
        synchronized (waiting) {
            if (listing >= listsAtOnce || waiting.isEmpty()) {
                return null;
            }
            Turn turn = waiting.remove();
            turn.taken = true;
            listing++;
            return turn;
        }
    }

    final class Turn {
        private final Sinks.Empty<Void> come = Sinks.empty();
        private boolean taken; // guarded by waiting
        private boolean over; // guarded by waiting

        /**
         * Completes when it is this one's turn; on {@code timer} where it has to be waited for, so that what is thrown in this list does not hit the
         * reflector whose turn ended.
         */
        Mono<Void> comes(Scheduler timer) {
            return Mono.defer(() -> {
                next();
                return hasCome() ? Mono.empty() : come.asMono().publishOn(timer);
            });
        }

        private boolean hasCome() {
            synchronized (waiting) {
                return taken;
            }
        }

        /** Ending it again changes nothing. */
        void end() {
            if (release()) {
                next();
            }
        }

        private boolean release() {
            synchronized (waiting) {
                if (over) {
                    return false;
                }
                over = true;
                if (taken) {
                    listing--;
                } else {
                    waiting.remove(this);
                }
                return true;
            }
        }
    }
}
