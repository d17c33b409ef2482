package io.reactiveinformer.apiserver.internal.cluster;

import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.node.ObjectNode;

/** What may change or refuse a write before it is stored. Called within the write; for what takes time, see {@link WebhookCall}. */
public interface Admission {

    /** Admits everything as it is. */
    Admission NONE = new Admission() {};

    /**
     * A write.
     *
     * @param operation {@code CREATE}, {@code UPDATE} or {@code DELETE}
     * @param old null for a creation
     * @param settled fills in the defaults of an object that was changed
     */
    record Attributes(
            String operation, Writes.Target target, @Nullable ObjectNode old, boolean dryRun, UnaryOperator<ObjectNode> settled) {}

    /** The object to store: {@code object} itself, or a changed copy. It has no name yet if the server is to make one. */
    default ObjectNode mutate(Attributes write, ObjectNode object) {
        return object;
    }

    /** Refuses the write by an {@link ApiFailure}, or lets it pass. The object is null for a deletion. */
    default void validate(Attributes write, @Nullable ObjectNode object) {}

    /** Tells the client something about the write. */
    default void warn(String warning) {}

    /** What a request makes up, which has to be the same when it begins anew. */
    default String once(String what, Supplier<String> made) {
        return made.get();
    }
}
