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
 * What the reflectors of one server share: how many of them list at once, and whether streaming lists work there. Pass the same group to
 * each by {@link ReflectorOptions#group}. Thread-safe.
 *
 * <p>{@link ReflectorOptions#defaults} makes a new one each time, so that informers of one factory share it and those of two factories do
 * not. However many groups there are over one client, its {@link io.reactiveinformer.client.ClientOptions#listsAtOnce} holds for all of
 * them.
 */
public final class ReflectorGroup {

    /**
     * Most lists at the same time, by default. Lists cost a server memory and time, and a hundred informers all list when it comes back.
     * Eight keep it busy without filling the queue of its fair sharing, which has 50 places for each flow.
     */
    public static final int LISTS_AT_ONCE = 8;

    /**
     * Most proofs at the same time. Requests for one object are short: a hundred informers that lost their connections together have made
     * theirs within a second or so.
     */
    static final int PROOFS_AT_ONCE = 8;

    /** How long a server that refused a streaming list is asked for pages only: it may be upgraded, or behind a balancer with others. */
    static final Duration STREAMING_AGAIN = Duration.ofHours(1);

    private final int listsAtOnce;
    private final Queue<Turn> waiting = new ArrayDeque<>(); // guarded by itself, with listing
    private final AtomicInteger handing = new AtomicInteger();
    private int listing;
    private volatile Epoch epoch = new Epoch();
    private volatile @Nullable Long pagedSince;

    /** The queue of reflectors that verify their history: they do not wait for lists. Null in that queue itself. */
    private final @Nullable ReflectorGroup proofs;

    private ReflectorGroup(int listsAtOnce, @Nullable ReflectorGroup proofs) {
        if (listsAtOnce < 1) {
            throw new IllegalArgumentException("listsAtOnce must be at least 1, was " + listsAtOnce);
        }
        this.listsAtOnce = listsAtOnce;
        this.proofs = proofs;
    }

    /** A group whose members make at most {@link #LISTS_AT_ONCE} lists at the same time. */
    public static ReflectorGroup create() {
        return create(LISTS_AT_ONCE);
    }

    /**
     * A group with its own limit of lists.
     *
     * @param listsAtOnce how many members may request a complete state at the same time; the others wait for their turn. A turn is over
     *     when the server has sent all of it; a subscriber that requests nothing while the server still sends is cut off after 90 s
     * @throws IllegalArgumentException if {@code listsAtOnce} is less than 1
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

    /** A member has found that the server has another history: the others have to list too. Takes effect once for each epoch. */
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

    /** A place in the queue of reflectors that want to list. Must be ended, whether its turn has come or not. */
    Turn line() {
        var turn = new Turn();
        synchronized (waiting) {
            waiting.add(turn);
        }
        return turn;
    }

    /** A place in the queue of reflectors that verify their history. As {@link #line}. */
    Turn proofLine() {
        return Objects.requireNonNull(proofs).line();
    }

    /** Gives out all free turns. Serialized: a concurrent or nested call, as by a list that completes at once, only causes another pass. */
    private void next() {
        if (handing.getAndIncrement() != 0) {
            return;
        }
        int missed = 1;
        Throwable thrown = null;
        do {
            for (Turn turn = free(); turn != null; turn = free()) {
                try {
                    turn.come.tryEmitEmpty(); // outside the lock: the listing begins in this call
                } catch (Throwable failure) {
                    turn.release(); // or it would never be released
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
         * Completes when it is this one's turn; on {@code timer} if it had to wait, so that what this list throws does not hit the
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
