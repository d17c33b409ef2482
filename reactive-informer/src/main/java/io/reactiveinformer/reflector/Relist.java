package io.reactiveinformer.reflector;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.resource.ResourceVersionExpiredException;
import io.reactiveinformer.resource.ResourceVersionTooLargeException;
import io.reactiveinformer.resource.StatusException;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/** Begins anew where resuming cannot help. */
public final class Relist {

    private Relist() {}

    /**
     * For {@code Flux.retryWhen} on a list and the watch from its version: subscribes again, and so lists again, after a pause, when the
     * server's history does not hold the version. Every other failure goes on to the subscriber.
     *
     * <pre>
     * list, then watch   [a b]₅──c₆──✕ 410        [b c]₂₀──d₂₁──✕ 403
     * result             [a b]₅──c₆── pause ───── [b c]₂₀──d₂₁──✕
     * </pre>
     */
    public static Retry onExpiry(Backoff backoff, Scheduler timer) {
        return backoff.retry(
                timer,
                failure -> failure instanceof StatusException refusal ? refusal.status().retryAfter() : null,
                failure -> failure instanceof ResourceVersionExpiredException || failure instanceof ResourceVersionTooLargeException);
    }
}
