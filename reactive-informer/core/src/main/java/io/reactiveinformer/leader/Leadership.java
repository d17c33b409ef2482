package io.reactiveinformer.leader;

import io.reactiveinformer.resource.KubernetesException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether this elector leads. */
public sealed interface Leadership {

    /** The failure of the last try to get or keep the lease; null if it did not fail. */
    @Nullable Trouble trouble();

    /**
     * This elector leads. With trouble it still does, until the term ends if the lease is not renewed before.
     *
     * @param term the term in which it leads
     */
    record Leading(Term term, @Nullable Trouble trouble) implements Leadership {}

    /**
     * This elector does not lead.
     *
     * @param leader the identity of the leader in the lease; null if none is known
     */
    record Following(@Nullable String leader, @Nullable Trouble trouble) implements Leadership {}

    /**
     * A failed try.
     *
     * @param cause a {@link io.reactiveinformer.resource.ConflictException} if another candidate was faster
     * @param attempt the number of failed tries in a row, this one included
     * @param retryIn the pause before the next try
     */
    record Trouble(KubernetesException cause, int attempt, Duration retryIn) {}
}
