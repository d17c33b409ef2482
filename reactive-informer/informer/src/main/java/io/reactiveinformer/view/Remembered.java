package io.reactiveinformer.view;

import io.reactiveinformer.delta.DeletionCause;
import io.reactiveinformer.resource.Versioned;
import java.time.Instant;

/**
 * What a {@link Memory} emits. Applied in order to a map, {@code Row} by putting, {@code Gone} by removing and {@code Reset} by clearing,
 * the elements give the rows of the view once no more are pending. Immutable.
 *
 * @param <K> the keys, which identify rows
 * @param <T> the rows
 */
public sealed interface Remembered<K, T> {

    /**
     * Where the subscriber stands after this element. A subscription from here continues after it, without a gap or a repeat. Opaque text
     * of at most 40 letters, digits and dots; it fits into the id of a server-sent event and into a URL.
     */
    String position();

    /** What the subscriber has is outdated in an unknown way, and must be dropped. All rows follow, then {@link Synced}. */
    record Reset<K, T>(String position) implements Remembered<K, T> {}

    /**
     * The present state of a row that was added or has changed.
     *
     * @param entry the object with its uid and version; shared, and must not be changed
     */
    record Row<K, T>(K key, Versioned<T> entry, String position) implements Remembered<K, T> {}

    /**
     * The row that the subscriber had with this key is no longer there. If another object has the key by now, its {@link Row} follows. May
     * also be emitted for a row that came and went before the subscriber received it. Has no state: it may be newer than what the
     * subscriber has received, and the subscriber may no longer be allowed to see it.
     *
     * @param cause how that is known; with {@link DeletionCause#LEFT} the object may still exist
     * @param at when the memory received it, by the clock of this process
     */
    record Gone<K, T>(K key, DeletionCause cause, Instant at, String position) implements Remembered<K, T> {}

    /**
     * The subscriber has received all that had changed when its subscription, or its last {@link Reset}, began. What follows is emitted as
     * it happens.
     */
    record Synced<K, T>(String position) implements Remembered<K, T> {}
}
