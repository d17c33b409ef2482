package io.reactiveinformer.client;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;
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
        return with(copy -> copy.gracePeriod = other);
    }

    /** A copy with this treatment of dependents. */
    public DeleteOptions withPropagation(Propagation other) {
        return with(copy -> copy.propagation = other);
    }

    /** A copy on the condition that the object has this uid. */
    public DeleteOptions withUid(String other) {
        return with(copy -> copy.uid = other);
    }

    /** A copy on the condition that the object has this version. */
    public DeleteOptions withResourceVersion(String other) {
        return with(copy -> copy.resourceVersion = other);
    }

    /** A copy that changes nothing on the server. */
    public DeleteOptions withDryRun() {
        return with(copy -> copy.dryRun = true);
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

    private DeleteOptions with(Consumer<Copy> change) {
        var copy = new Copy();
        change.accept(copy);
        return new DeleteOptions(copy.gracePeriod, copy.propagation, copy.uid, copy.resourceVersion, copy.dryRun);
    }

    /** A copy that is still to be changed. */
    private final class Copy {
        @Nullable Duration gracePeriod = gracePeriod();
        @Nullable Propagation propagation = propagation();
        @Nullable String uid = uid();
        @Nullable String resourceVersion = resourceVersion();
        boolean dryRun = dryRun();
    }
}
