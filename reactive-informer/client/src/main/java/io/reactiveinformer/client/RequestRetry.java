package io.reactiveinformer.client;

import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/**
 * The retries of requests, as in client-go. Any request is sent again after the Retry-After of a busy server. A request that only reads is
 * also sent again when the connection was lost before an answer. Lists and watches of informers are not retried here: their reflector does
 * it, and reports it.
 */
record RequestRetry(Scheduler timer) {

    private static final int TRIES = 10;
    /** Longest Retry-After that is waited for; a longer one is for the caller to decide. */
    static final Duration LONGEST = Duration.ofMinutes(1);
    /** As {@link #LONGEST}, for requests about leases, where seconds count. */
    static final Duration LONGEST_FOR_LEASES = Duration.ofSeconds(1);
    /** Pause times the number of retries so far: ten tries take 3.6 seconds. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    /**
     * @param reads whether the request changes nothing, so that sending it again does no harm even if it did arrive
     * @param longest longest Retry-After that is waited for
     */
    Retry retry(boolean reads, Duration longest) {
        return Retry.from(failures -> failures.concatMap(signal -> {
            Duration wait = signal.totalRetries() + 1 >= TRIES ? null : wait(signal.failure(), reads, longest, signal.totalRetries());
            return wait == null ? Mono.<Long>error(signal.failure()) : Mono.delay(wait, timer);
        }));
    }

    /** Null for no further try: the caller decides. */
    private static @Nullable Duration wait(Throwable failure, boolean reads, Duration longest, long retries) {
        Duration pause = PAUSE.multipliedBy(retries);
        if (failure instanceof InvalidRequestException) {
            return null; // whatever its code is
        }
        if (failure instanceof StatusException refusal && (refusal.code() == 429 || refusal.code() >= 500)) {
            return refusal.retryAfter().filter(wait -> wait.compareTo(longest) <= 0).map(wait -> longer(wait, pause)).orElse(null);
        }
        return reads && failure instanceof TransportException lost && lost.beforeAnswer() ? pause : null;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
