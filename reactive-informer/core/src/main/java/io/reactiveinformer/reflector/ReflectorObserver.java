package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import java.time.Duration;

/**
 * Notified of what a reflector does, for counts and gauges. Called on the threads of the transport and the timer, in order for each
 * subscription: must not block. What it throws is logged once, and harms nothing else. The methods do nothing by default.
 *
 * <p>Bytes are not reported here: a reflector receives events, and its source need not be a server. For a server, see
 * {@link io.reactiveinformer.client.RequestObserver}, which counts the bytes of each request; its verbs {@code list} and {@code watch} are
 * a reflector's. A streaming list is a {@code watch} there, and is reported when it is over.
 */
public interface ReflectorObserver {

    /** Ignores everything. */
    ReflectorObserver NONE = new ReflectorObserver() {};

    /**
     * The complete state is requested.
     *
     * @param reason why: {@code first list}, or what made another one necessary
     */
    default void listing(String reason) {}

    /**
     * The complete state was received.
     *
     * @param objects how many came
     * @param took from the start of the listing to its end
     */
    default void listed(int objects, Duration took) {}

    /**
     * A watch was accepted.
     *
     * @param resourceVersion where it starts
     */
    default void watching(String resourceVersion) {}

    /**
     * How long the server had not confirmed its position, by a change, a bookmark, or a complete state: how old the cached state may be.
     * Called before {@link #heard} and {@link #listed}, which end such a time, and before {@link #disrupted}, in which it goes on; but not
     * before the first complete state, or before anything was received after a saved state. While nothing is called, the time since the
     * last of these is to be added.
     */
    default void stale(Duration time) {}

    /** A watch emitted a change or a bookmark. */
    default void heard(ReflectorEvent<?> event) {}

    /**
     * A watch is over, for whatever reason.
     *
     * @param events how many came, bookmarks included
     * @param lasted from its opening to its end
     */
    default void watched(int events, Duration lasted) {}

    /** Something failed, and the next try is due after a pause. */
    default void disrupted(ReflectorEvent.Disrupted<?> disruption) {}

    /** An observer that notifies this one and then {@code other}, whatever either of them throws. */
    default ReflectorObserver and(ReflectorObserver other) {
        return this == NONE ? other : other == NONE ? this : new BothObservers(this, other);
    }
}
