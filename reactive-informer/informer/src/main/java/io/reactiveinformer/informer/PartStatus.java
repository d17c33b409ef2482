package io.reactiveinformer.informer;

import io.reactiveinformer.delta.ReflectorEvent;
import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.view.InformerStatus;
import io.reactiveinformer.view.InformerStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The status of one part, and its transitions on the events of its reflector.
 *
 * <p>The cause of a disruption, and the number of failed tries, stay until the part is live again: a list in progress after three failures
 * is still the fourth try. The time up to which the cached state of the part was current stays as well.
 */
record PartStatus(
        State state, Instant since, @Nullable KubernetesException cause, int attempt, @Nullable Duration retryIn,
        @Nullable Instant staleSince) {

    static PartStatus idle(Instant now) {
        return new PartStatus(State.IDLE, now, null, 0, null, null);
    }

    static PartStatus listing(Instant now) {
        return new PartStatus(State.LISTING, now, null, 0, null, null);
    }

    static PartStatus live(Instant now) {
        return new PartStatus(State.LIVE, now, null, 0, null, null);
    }

    /** The status while the changes since the restored state are requested. */
    PartStatus catchingUp(Instant now) {
        return state == State.STOPPED ? this : new PartStatus(State.LISTING, sinceIf(State.LISTING, now), cause, attempt, null, staleSince);
    }

    /** Whether {@code event} may change the status of a part. Most events concern single objects, and do not. */
    static boolean dependsOn(ReflectorEvent<?> event) {
        return event instanceof ReflectorEvent.ListingStarted || event instanceof ReflectorEvent.Watching
                || event instanceof ReflectorEvent.Disrupted;
    }

    /** The status after {@code event}; this instance if the event does not change it. */
    PartStatus after(ReflectorEvent<?> event, Instant now) {
        if (state == State.STOPPED) {
            return this; // a late event, emitted before the stop
        }
        if (event instanceof ReflectorEvent.ListingStarted<?> started) {
            KubernetesException why = started.cause() == null ? cause : started.cause();
            return new PartStatus(State.LISTING, sinceIf(State.LISTING, now), why, attempt, null, staleFrom(now));
        }
        if (event instanceof ReflectorEvent.Watching) {
            return state == State.LIVE ? this : live(now);
        }
        if (event instanceof ReflectorEvent.Disrupted<?> disrupted) {
            return new PartStatus(State.DISRUPTED, sinceIf(State.DISRUPTED, now), disrupted.cause(),
                    disrupted.attempt(), disrupted.retryIn(),
                    staleFrom(now));
        }
        return this;
    }

    /**
     * The status after the cached state was restored or listed, with the time at which that state was current. A live status is unchanged.
     */
    PartStatus heldAsOf(Instant then) {
        return state == State.LIVE || state == State.STOPPED ? this : new PartStatus(state, since, cause, attempt, retryIn, then);
    }

    /** Whether nothing of the part has been cached so far. */
    boolean isEmpty() {
        return staleSince == null && state != State.LIVE;
    }

    /** A live status, where nothing that was listed can be read: the complete state is still awaited. */
    PartStatus unread(KubernetesException why) {
        return new PartStatus(State.LISTING, since, why, 0, null, null);
    }

    PartStatus stopped(@Nullable KubernetesException reason, Instant now) {
        return new PartStatus(State.STOPPED, now, reason, attempt, null, staleFrom(now));
    }

    /** @param awaited since when the first list of the part is awaited; null once it was listed completely */
    InformerStatus asStatus(@Nullable Instant awaited) {
        return new InformerStatus(state, since, awaited == null, staleSince, awaited, cause, attempt, retryIn, Map.of(), Map.of());
    }

    private Instant sinceIf(State next, Instant now) {
        return state == next ? since : now;
    }

    private @Nullable Instant staleFrom(Instant now) {
        return state == State.LIVE ? now : staleSince;
    }
}
