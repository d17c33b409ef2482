package io.reactiveinformer.leader;

import io.reactiveinformer.resource.KubernetesException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** Whether we lead. */
public sealed interface Leadership {

    /** What the last try to get or keep the lease failed of; null if it did not. */
    @Nullable Trouble trouble();

    /** We lead. With trouble it is still so, but not for long. */
    record Leading(Term term, @Nullable Trouble trouble) implements Leadership {}

    /**
     * We do not lead.
     *
     * @param leader who does, by the name in the lease; null if nobody is known to
     */
    record Following(@Nullable String leader, @Nullable Trouble trouble) implements Leadership {}

    /**
     * A try that failed.
     *
     * @param cause a {@link io.reactiveinformer.resource.ConflictException} if another candidate was faster
     * @param attempt how many in a row have failed, this one included
     * @param retryIn when the next begins
     */
    record Trouble(KubernetesException cause, int attempt, Duration retryIn) {}
}
