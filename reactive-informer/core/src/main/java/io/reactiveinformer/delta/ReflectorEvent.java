package io.reactiveinformer.delta;

import io.reactiveinformer.resource.KubernetesException;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.Scope;
import io.reactiveinformer.resource.UnreadableObjectException;
import io.reactiveinformer.resource.Versioned;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a reflector hears, in order, for one part of the cluster. A listing is what stands between {@link ListingStarted} and
 * {@link ListingEnded}; one that is started again before it ended never happened. The live events after it carry on from its version.
 *
 * <p>Failures are values here ({@link Disrupted}): the stream itself goes on.
 */
public sealed interface ReflectorEvent<T> {

    /** The part of the cluster this is about: {@link Scope#all()} or one namespace. */
    Scope scope();

    /**
     * The complete state is about to be told. What the previous, unfinished listing told is void. Until it has ended, {@link Upserted},
     * {@link Deleted} and {@link Unreadable} correct what is being listed.
     *
     * @param reason why everything is listed
     * @param cause why it is listed in pages, where a streaming list was asked for before; null otherwise
     */
    record ListingStarted<T>(Scope scope, String reason, @Nullable KubernetesException cause) implements ReflectorEvent<T> {

        public ListingStarted(Scope scope, String reason) {
            this(scope, reason, null);
        }
    }

    /** Belongs to the state being listed. */
    record Listed<T>(Scope scope, ObjectKey key, Versioned<T> entry) implements ReflectorEvent<T> {}

    /**
     * The listing was complete: what it did not have is not there.
     *
     * @param resourceVersion up to which the listing is complete
     * @param newEpoch whether the server's history is another one than before, so that older versions prove nothing
     */
    record ListingEnded<T>(Scope scope, String resourceVersion, boolean newEpoch) implements ReflectorEvent<T> {}

    /** The watch is open again, or for the first time, from {@code resourceVersion}; changes will be heard of as they happen. */
    record Watching<T>(Scope scope, String resourceVersion) implements ReflectorEvent<T> {}

    /** Created or modified: who was away cannot tell the two apart. */
    record Upserted<T>(Scope scope, ObjectKey key, Versioned<T> entry) implements ReflectorEvent<T> {}

    /** The server said that it is gone; {@code entry} is its last state, with the version of the deletion. */
    record Deleted<T>(Scope scope, ObjectKey key, Versioned<T> entry) implements ReflectorEvent<T> {}

    /** Nothing of this part up to this version is missing. */
    record Bookmark<T>(Scope scope, String resourceVersion) implements ReflectorEvent<T> {}

    /**
     * An object has a state that could not be read. In a listing it counts as present.
     *
     * @param resourceVersion of the unreadable state; null where not even that could be read
     * @param deleted whether that state is its last: the object is gone
     */
    record Unreadable<T>(
            Scope scope,
            ObjectKey key,
            @Nullable String uid,
            @Nullable String resourceVersion,
            boolean deleted,
            UnreadableObjectException failure)
            implements ReflectorEvent<T> {}

    /**
     * Cut off from the server.
     *
     * @param attempt how many tries in a row have failed, this one included
     * @param retryIn when the next try begins
     * @param relist whether that try lists, or resumes the watch
     */
    record Disrupted<T>(Scope scope, KubernetesException cause, int attempt, Duration retryIn, boolean relist)
            implements ReflectorEvent<T> {}
}
