package io.reactiveinformer.apiserver.internal.cluster;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What may refuse a write of a request before it is stored. Called within the write. */
public interface Admission {

    /** Admits everything. */
    Admission NONE = new Admission() {};

    /**
     * A write.
     *
     * @param operation {@code CREATE}, {@code UPDATE} or {@code DELETE}
     * @param old null for a creation
     */
    record Attributes(String operation, Writes.Target target, @Nullable ObjectNode old, boolean dryRun) {}

    /** Refuses the write by an {@link ApiFailure}, or lets it pass. The object is null for a deletion. */
    default void validate(Attributes write, @Nullable ObjectNode object) {}
}
