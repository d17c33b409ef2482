package io.reactiveinformer.view;

import io.reactiveinformer.client.Known.Stale;
import io.reactiveinformer.internal.PersistentMap;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of an informer, or of a view derived from informers: how it stands with its server, and how old its rows may be.
 *
 * @param state what the informer is doing
 * @param since when it entered this state
 * @param synced whether a complete state of each part has been received, or the part counts as complete and empty because it is refused;
 *     turns false again only when a part is added
 * @param staleSince the time up to which the served rows are known to be current; null while it is {@link State#LIVE}, and if no rows are
 *     served yet
 * @param awaitedSince since when the first complete state is awaited, by the part that waits longest; null once it was received
 * @param cause why it is not {@link State#LIVE}; null while nothing is wrong
 * @param attempt the number of failed attempts in a row; 0 while nothing is wrong
 * @param retryIn the time from this status to the next attempt; null if none is scheduled
 * @param stale the objects whose latest state could not be read, or for which a function of a derived view threw, and why; an older state
 *     of them is served, or none
 * @param parts the status of each part, if there is more than one; empty otherwise. A part that counts as empty is not synced here, and has
 *     its refusal as the cause; the other values of this status are then those of the other parts
 */
public record InformerStatus(
        State state,
        Instant since,
        boolean synced,
        @Nullable Instant staleSince,
        @Nullable Instant awaitedSince,
        @Nullable KubernetesException cause,
        int attempt,
        @Nullable Duration retryIn,
        Map<ObjectKey, Stale> stale,
        Map<Namespaces, InformerStatus> parts) {

    /**
     * What an informer is doing.
     *
     * <pre>
     *  IDLE ──start──▶ LISTING ◀─────▶ LIVE ──stop──▶ STOPPED
     *                     ▲   ╲      ▲  │
     *                     │    ▼    ╱   ▼
     *                     └── DISRUPTED ┘
     * </pre>
     */
    public enum State {
        /** Not started. */
        IDLE,
        /** Requesting the complete state, or the changes since the state that a warm start has restored. */
        LISTING,
        /** Receiving changes as they happen. */
        LIVE,
        /** Disconnected; the cache is served, and {@link InformerStatus#retryIn} is the time to the next attempt. */
        DISRUPTED,
        /** Ended: stopped by the program, or given up because of {@link InformerStatus#cause}. */
        STOPPED
    }

    /** Keeps immutable copies of the maps. */
    public InformerStatus {
        stale = stale instanceof PersistentMap ? stale : Map.copyOf(stale);
        parts = Map.copyOf(parts);
    }

    /** As the canonical constructor; {@code awaitedSince} is null if {@code synced}, else {@code since}. */
    public InformerStatus(
            State state,
            Instant since,
            boolean synced,
            @Nullable Instant staleSince,
            @Nullable KubernetesException cause,
            int attempt,
            @Nullable Duration retryIn,
            Map<ObjectKey, Stale> stale,
            Map<Namespaces, InformerStatus> parts) {
        this(state, since, synced, staleSince, synced ? null : since, cause, attempt, retryIn, stale, parts);
    }

    /** As the constructor with {@code staleSince}, which is null here: no outdated rows are served. */
    public InformerStatus(
            State state,
            Instant since,
            boolean synced,
            @Nullable KubernetesException cause,
            int attempt,
            @Nullable Duration retryIn,
            Map<ObjectKey, Stale> stale,
            Map<Namespaces, InformerStatus> parts) {
        this(state, since, synced, null, cause, attempt, retryIn, stale, parts);
    }

    /**
     * For how long, at {@code now}, the state of the server has been unknown: the age that the served rows may have, or the time for which
     * the first complete state has been awaited, whichever is longer. Zero only if the served rows are complete and current. Never
     * negative.
     */
    public Duration staleness(Instant now) {
        Instant then = earliest(staleSince, awaitedSince);
        return then == null || now.isBefore(then) ? Duration.ZERO : Duration.between(then, now);
    }

    private static @Nullable Instant earliest(@Nullable Instant one, @Nullable Instant other) {
        return one == null || other != null && other.isBefore(one) ? other : one;
    }

    /**
     * The status of an informer that has not been started: {@link State#IDLE} since {@code now}, not synced, awaiting its first complete
     * state.
     */
    public static InformerStatus idle(Instant now) {
        return new InformerStatus(State.IDLE, now, false, null, 0, null, Map.of(), Map.of());
    }
}
