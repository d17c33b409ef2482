package io.reactiveinformer.resource;

import io.reactiveinformer.internal.PersistentMap;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How an informer, or a view derived from some, stands with its server.
 *
 * @param state what it is doing
 * @param since when it entered this state
 * @param synced whether a complete state of every part has been seen; becomes false again only where a part is added
 * @param staleSince up to when what is served was known to be current; null while it is {@link State#LIVE}, and where nothing is served yet
 * @param awaitedSince since when the first complete state is awaited, of the part that waits longest; null once it was seen
 * @param cause why it is not {@link State#LIVE}; null while nothing is wrong
 * @param attempt how many tries in a row have failed; 0 while nothing is wrong
 * @param retryIn how long after this status was made the next try begins; null where none is due
 * @param stale what could not be read of objects in their latest state, or what a function of a derived view threw on them, so that an older
 *     one is served, or none
 * @param scopes how each part stands, where there is more than one; empty otherwise
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
        Map<Scope, InformerStatus> scopes) {

    /**
     * <pre>
     *  IDLE ──start──▶ LISTING ──────▶ LIVE ──stop──▶ STOPPED
     *                     ▲   ╲      ▲  │
     *                     │    ▼    ╱   ▼
     *                     └── DISRUPTED ┘
     * </pre>
     */
    public enum State {
        /** Not started. */
        IDLE,
        /** Asking for the complete state, or for what has happened since the one that a warm start began with. */
        LISTING,
        /** Hearing of changes as they happen. */
        LIVE,
        /** Cut off; what is cached is served, and {@link InformerStatus#retryIn} says when the next try begins. */
        DISRUPTED,
        /** Over: stopped, or given up for {@link InformerStatus#cause}. */
        STOPPED
    }

    /**
     * Why an object is stale, or a row that was made of it.
     *
     * @param resourceVersion of the state that could not be taken in; null where not even that is known
     * @param reason what was expected where, or what a function threw; never holds the object's body
     */
    public record Stale(@Nullable String resourceVersion, String reason) {}

    public InformerStatus {
        stale = stale instanceof PersistentMap ? stale : Map.copyOf(stale);
        scopes = Map.copyOf(scopes);
    }

    /** Where no complete state was seen, it is awaited since it entered the state. */
    public InformerStatus(
            State state,
            Instant since,
            boolean synced,
            @Nullable Instant staleSince,
            @Nullable KubernetesException cause,
            int attempt,
            @Nullable Duration retryIn,
            Map<ObjectKey, Stale> stale,
            Map<Scope, InformerStatus> scopes) {
        this(state, since, synced, staleSince, synced ? null : since, cause, attempt, retryIn, stale, scopes);
    }

    /** Of which nothing that is served is out of date. */
    public InformerStatus(
            State state,
            Instant since,
            boolean synced,
            @Nullable KubernetesException cause,
            int attempt,
            @Nullable Duration retryIn,
            Map<ObjectKey, Stale> stale,
            Map<Scope, InformerStatus> scopes) {
        this(state, since, synced, null, cause, attempt, retryIn, stale, scopes);
    }

    /**
     * For how long nobody has known, by {@code now}, how the server stands: how old what is served may be, or for how long a first complete state has been
     * awaited, whichever is longer. Zero only where what is served is complete and current; grows until then.
     */
    public Duration staleness(Instant now) {
        Instant then = earliest(staleSince, awaitedSince);
        return then == null || now.isBefore(then) ? Duration.ZERO : Duration.between(then, now);
    }

    private static @Nullable Instant earliest(@Nullable Instant one, @Nullable Instant other) {
        return one == null || other != null && other.isBefore(one) ? other : one;
    }

    public static InformerStatus idle(Instant now) {
        return new InformerStatus(State.IDLE, now, false, null, 0, null, Map.of(), Map.of());
    }
}
