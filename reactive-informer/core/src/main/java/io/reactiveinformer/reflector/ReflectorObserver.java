package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import java.time.Duration;

/**
 * Hears what a reflector does, for counts and gauges. Called on the threads of the transport and the timer, in order for each subscription:
 * must not block. What it throws is logged once, and harms nothing else.
 *
 * <p>Bytes are not told here: a reflector hears of events, and its source need not be a server's. Whoever asks one counts them, for each request
 * that it makes: {@link io.reactiveinformer.client.RequestObserver}, whose verbs {@code list} and {@code watch} are a reflector's. A streaming
 * list is a {@code watch} there, and told of when it is over.
 */
public interface ReflectorObserver {

    /** Looks away. */
    ReflectorObserver NONE = new ReflectorObserver() {};

    /**
     * The complete state is asked for.
     *
     * @param reason why: {@code first list}, or what made another one necessary
     */
    default void listing(String reason) {}

    /** The complete state was told. */
    default void listed(int objects, Duration took) {}

    /** A watch was accepted. */
    default void watching(String resourceVersion) {}

    /**
     * How long the server had not said where it stands, by a change, a bookmark, or a complete state: that old what is held may be. Told before
     * {@link #heard} and {@link #listed}, which end such a time, and before {@link #disrupted}, in which it goes on; but not before the first
     * complete state, or before anything was heard from where the saved one ends. While nothing is told, the time since then is to be added.
     */
    default void stale(Duration time) {}

    /** A watch told of a change or sent a bookmark. */
    default void heard(ReflectorEvent<?> event) {}

    /** A watch is over, for whatever reason. */
    default void watched(int events, Duration lasted) {}

    /** Something failed, and the next try is due after a pause. */
    default void disrupted(ReflectorEvent.Disrupted<?> disruption) {}

    /** This and {@code other}: each hears everything, whatever the other throws. */
    default ReflectorObserver and(ReflectorObserver other) {
        return this == NONE ? other : other == NONE ? this : new BothObservers(this, other);
    }
}
