package io.reactiveinformer.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * How a deletion is done. A {@code with} method gives a copy that differs in one thing.
 *
 * @param gracePeriod the time that the object has to end; zero deletes by force; null for the object's own. Sent in whole seconds, rounded
 *     up
 * @param propagation what happens to the object's dependents; null for the type's default
 * @param uid deletes only an object of this uid, and else fails with {@link io.reactiveinformer.resource.ConflictException}; null for any
 * @param resourceVersion deletes only an object of this version, and else fails in the same way; null for any
 * @param dryRun whether the server only checks the deletion, and changes nothing
 */
public record DeleteOptions(
        @Nullable Duration gracePeriod,
        @Nullable Propagation propagation,
        @Nullable String uid,
        @Nullable String resourceVersion,
        boolean dryRun) {

    private static final DeleteOptions DEFAULTS = new DeleteOptions(null, null, null, null, false);

    /** What happens to dependents. */
    public enum Propagation {
        /** Dependents stay, without an owner. */
        ORPHAN("Orphan"),
        /** Dependents are deleted after the object. */
        BACKGROUND("Background"),
        /** Dependents are deleted before the object. */
        FOREGROUND("Foreground");

        private final String wire;

        Propagation(String wire) {
            this.wire = wire;
        }
    }

    /** The defaults of the object and of its type, without conditions. */
    public static DeleteOptions defaults() {
        return DEFAULTS;
    }

    /**
     * A copy with this time to end; zero deletes by force.
     *
     * @throws IllegalArgumentException if {@code other} is negative
     */
    public DeleteOptions withGracePeriod(Duration other) {
        if (other.isNegative()) {
            throw new IllegalArgumentException("gracePeriod must not be negative, was " + other);
        }
        return new DeleteOptions(other, propagation, uid, resourceVersion, dryRun);
    }

    /** A copy with this treatment of dependents. */
    public DeleteOptions withPropagation(Propagation other) {
        return new DeleteOptions(gracePeriod, other, uid, resourceVersion, dryRun);
    }

    /** A copy on the condition that the object has this uid. */
    public DeleteOptions withUid(String other) {
        return new DeleteOptions(gracePeriod, propagation, other, resourceVersion, dryRun);
    }

    /** A copy on the condition that the object has this version. */
    public DeleteOptions withResourceVersion(String other) {
        return new DeleteOptions(gracePeriod, propagation, uid, other, dryRun);
    }

    /** A copy that changes nothing on the server. */
    public DeleteOptions withDryRun() {
        return new DeleteOptions(gracePeriod, propagation, uid, resourceVersion, true);
    }

    /** As a request body; null if the defaults suffice. */
    @Nullable Map<String, Object> body() {
        if (gracePeriod == null && propagation == null && uid == null && resourceVersion == null) {
            return null;
        }
        var body = new LinkedHashMap<String, Object>();
        body.put("apiVersion", "v1");
        body.put("kind", "DeleteOptions");
        if (gracePeriod != null) {
            body.put("gracePeriodSeconds", Queries.seconds(gracePeriod));
        }
        if (propagation != null) {
            body.put("propagationPolicy", propagation.wire);
        }
        var preconditions = new LinkedHashMap<String, String>();
        if (uid != null) {
            preconditions.put("uid", uid);
        }
        if (resourceVersion != null) {
            preconditions.put("resourceVersion", resourceVersion);
        }
        if (!preconditions.isEmpty()) {
            body.put("preconditions", preconditions);
        }
        return body;
    }
}
