package io.reactiveinformer.client;

import io.reactiveinformer.internal.SparedTimer;
import io.reactiveinformer.resource.ConflictException;
import java.time.Duration;
import reactor.core.scheduler.Scheduler;
import reactor.core.scheduler.Schedulers;
import reactor.util.retry.Retry;

/**
 * Retries an update when another writer was faster. Each try reads the object again, changes it and writes it; there are a few tries,
 * shortly after each other.
 *
 * <pre>{@code
 * pods.get(key).flatMap(pod -> pods.update(key, changed(pod))).retryWhen(RetryOnConflict.quickly())
 * }</pre>
 */
public final class RetryOnConflict {

    /** As client-go's {@code retry.DefaultRetry}. */
    private static final int TRIES = 5;
    private static final Duration PAUSE = Duration.ofMillis(10);

    private RetryOnConflict() {}

    /**
     * Five tries in all; then the last conflict is the failure. Only conflicts are retried. The pauses run on
     * {@code Schedulers.parallel()}.
     */
    public static Retry quickly() {
        return on(Schedulers.parallel());
    }

    /**
     * For {@code retryWhen}: five tries in all, about 10 ms apart; then the last conflict is the failure. Only conflicts are retried, but
     * not {@code AlreadyExists}.
     *
     * @param timer measures the pauses
     */
    public static Retry on(Scheduler timer) {
        return Retry.backoff(TRIES - 1, PAUSE)
                .maxBackoff(PAUSE)
                .jitter(0.1)
                .scheduler(SparedTimer.of(timer))
                .filter(RetryOnConflict::isConflict)
                .onRetryExhaustedThrow((retry, last) -> last.failure());
    }

    /** An object that exists already will exist the next time too. */
    private static boolean isConflict(Throwable failure) {
        return failure instanceof ConflictException conflict && !conflict.status().reason().equals("AlreadyExists");
    }
}
