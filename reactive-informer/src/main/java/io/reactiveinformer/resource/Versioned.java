package io.reactiveinformer.resource;

import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One state of one object. The uid tells one life of a name from the next, the resourceVersion one state from the next; both are read from
 * the object's metadata before it is decoded, so they are known of projections and trees too.
 *
 * @param uid null where the server gives none; such objects are never taken for recreated ones
 * @param resourceVersion null where the server gives none, and for rows that were computed rather than received
 * @param object read-only, and shared by all who see this state
 */
public record Versioned<T>(@Nullable String uid, @Nullable String resourceVersion, T object) {

    /** Whether the two are the same state of the same object: equal uids and equal, present versions. */
    public boolean sameVersion(Versioned<?> other) {
        return resourceVersion != null && resourceVersion.equals(other.resourceVersion) && Objects.equals(uid, other.uid);
    }

    /** Whether {@code later} is another object under the same name: both have uids, and these differ. */
    public boolean recreatedAs(Versioned<?> later) {
        return uid != null && later.uid != null && !uid.equals(later.uid);
    }

    /** The same state, seen as something else. */
    public <R> Versioned<R> with(R other) {
        return new Versioned<>(uid, resourceVersion, other);
    }
}
