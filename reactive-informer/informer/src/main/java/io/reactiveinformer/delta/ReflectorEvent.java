package io.reactiveinformer.delta;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.Namespaces;
import io.reactiveinformer.resource.ObjectEvent;
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

    /** The version that this is about; null if there is none. */
    default @Nullable String resourceVersion() {
        return null;
    }

    /**
     * A listing of the complete state begins. A previous listing that has not ended is void. Until this one has ended, what is
     * {@link Received} are its objects, and corrections of them.
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

    /**
     * The listing is complete: objects that it did not have are not there.
     *
     * @param resourceVersion the version up to which the listing is complete
     * @param newEpoch whether the server's history is another one than before, so that older versions prove nothing
     */
    record ListingEnded<T>(Namespaces part, String resourceVersion, boolean newEpoch) implements ReflectorEvent<T> {}

    /** The watch is open, for the first time or again, from {@code resourceVersion}; changes will be received as they happen. */
    record Watching<T>(Namespaces part, String resourceVersion) implements ReflectorEvent<T> {}

    /**
     * The server sent an event of an object, or a bookmark: nothing of this part up to its version is missing. In a listing, an object that
     * is {@link ObjectEvent.Applied} and not {@code modified} is listed. In a watch, {@code modified} says nothing: after an interruption
     * an object that was created cannot be distinguished from one that was modified.
     *
     * @param event {@link ObjectEvent.Applied}, {@link ObjectEvent.Deleted}, {@link ObjectEvent.Unreadable} with a key, or
     *     {@link ObjectEvent.Bookmark}
     */
    record Received<T>(Namespaces part, ObjectEvent<T> event) implements ReflectorEvent<T> {

        @Override
        public @Nullable String resourceVersion() {
            return event.resourceVersion();
        }
    }

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
