package io.reactiveinformer.reflector;

import io.reactiveinformer.backoff.Backoff;
import io.reactiveinformer.backoff.Backoff.Delays;
import reactor.core.publisher.Flux;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/** Lists again when resuming cannot help. */
public final class Relist {

    private Relist() {}

    /**
     * For {@code Flux.retryWhen} on a list and the watch from its version: subscribes again, and so lists again, after a pause, when the
     * server's history does not contain the version. Every other failure is passed to the subscriber. A complete list does not count as
     * progress, since the watch from it may expire as the one before did: the pauses start over only after a try that went on for
     * {@code resetAfter}.
     *
     * <pre>
     * list, then watch   [a b]₅──c₆──✕ 410        [b c]₂₀──d₂₁──✕ 403
     * result             [a b]₅──c₆── pause ───── [b c]₂₀──d₂₁──✕
     * </pre>
     */
    public static Retry onExpiry(Backoff backoff, Scheduler timer) {
        return Retry.from(failures -> Flux.defer(() -> {
            Delays delays = backoff.delays(timer);
            return failures.concatMap(signal -> Phase.isOutOfRange(signal.failure())
                    ? Mono.delay(delays.next(RetryPauses.retryAfter(signal.failure())), timer)
                    : Mono.<Long>error(signal.failure()));
        }));
    }
}
