package io.reactiveinformer.delta;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * An event of a reflector, in order, for one part of the cluster. A listing consists of the events between {@link ListingStarted} and
 * {@link ListingEnded}; one that is started again before it ended has no effect. The live events after it continue from its version.
 *
 * <p>Failures are values here ({@link Disrupted}): the stream itself continues.
 */
public sealed interface ReflectorEvent<T> {

    /** The part of the cluster that this is about: {@link Namespaces#all()} or one namespace. */
    Namespaces part();

    /**
     * A listing of the complete state begins. A previous listing that has not ended is void. Until this one has ended, {@link Upserted},
     * {@link Deleted} and {@link Unreadable} correct its objects.
     *
     * @param reason why everything is listed
     * @param cause why it is listed in pages after a streaming list was requested; null otherwise
     */
    record ListingStarted<T>(Namespaces part, String reason, @Nullable KubernetesException cause) implements ReflectorEvent<T> {

        /** Without a cause. */
        public ListingStarted(Namespaces part, String reason) {
            this(part, reason, null);
        }
    }

    /** An object of the listing. */
    record Listed<T>(Namespaces part, ObjectKey key, Versioned<T> entry) implements ReflectorEvent<T> {}

    /**
     * The listing is complete: objects that it did not have are not there.
     *
     * @param resourceVersion the version up to which the listing is complete
     * @param newEpoch whether the server's history is another one than before, so that older versions prove nothing
     */
    record ListingEnded<T>(Namespaces part, String resourceVersion, boolean newEpoch) implements ReflectorEvent<T> {}

    /** The watch is open, for the first time or again, from {@code resourceVersion}; changes will be received as they happen. */
    record Watching<T>(Namespaces part, String resourceVersion) implements ReflectorEvent<T> {}

    /** An object was created or modified: after an interruption the two cannot be distinguished. */
    record Upserted<T>(Namespaces part, ObjectKey key, Versioned<T> entry) implements ReflectorEvent<T> {}

    /** The server reported that an object is gone; {@code entry} is its last state, with the version of the deletion. */
    record Deleted<T>(Namespaces part, ObjectKey key, Versioned<T> entry) implements ReflectorEvent<T> {}

    /** Nothing of this part up to this version is missing. */
    record Bookmark<T>(Namespaces part, String resourceVersion) implements ReflectorEvent<T> {}

    /**
     * An object has a state that could not be read. In a listing it counts as present.
     *
     * @param resourceVersion the version of the unreadable state; null if not even that could be read
     * @param deleted whether that state is the last one: the object is gone
     */
    record Unreadable<T>(
            Namespaces part,
            ObjectKey key,
            @Nullable String uid,
            @Nullable String resourceVersion,
            boolean deleted,
            UnreadableObjectException failure)
            implements ReflectorEvent<T> {}

    /**
     * The connection to the server failed. Another attempt follows, unless the reflector gives up: then this is the last event before the
     * stream fails.
     *
     * @param attempt how many attempts have failed since the last change, bookmark or complete list, this one included
     * @param retryIn the time to the next attempt, if there is one
     * @param relist whether that attempt lists, instead of resuming the watch
     */
    record Disrupted<T>(Namespaces part, KubernetesException cause, int attempt, Duration retryIn, boolean relist)
            implements ReflectorEvent<T> {}
}
