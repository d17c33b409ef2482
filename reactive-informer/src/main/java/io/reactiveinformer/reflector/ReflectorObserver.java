package io.reactiveinformer.reflector;

import io.reactiveinformer.delta.ReflectorEvent;
import java.time.Duration;

/**
 * Hears what a reflector does, for counts and gauges. Called on the threads of the transport and the timer, in order for each subscription:
 * must not block. What it throws is logged once, and harms nothing else.
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

    /** A watch told of a change or sent a bookmark; the time between two of these is how stale what is held may be. */
    default void heard(ReflectorEvent<?> event) {}

    /** A watch is over, for whatever reason. */
    default void watched(int events, Duration lasted) {}

    /** Something failed, and the next try is due after a pause. */
    default void disrupted(ReflectorEvent.Disrupted<?> disruption) {}
}
