package io.reactiveinformer.client;

import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import reactor.core.publisher.Mono;
import reactor.core.scheduler.Scheduler;
import reactor.util.retry.Retry;

/**
 * Which failures a request is sent again after, and when, as in client-go: a server that is busy says when to come back, whatever was asked;
 * and what only reads is asked again when the connection was lost before an answer came. Neither is done for lists and watches of an
 * informer, which has its own patience and tells of it.
 */
final class Patience {

    private static final int TRIES = 10;
    /** What takes longer is for the caller to decide. */
    static final Duration LONGEST = Duration.ofMinutes(1);
    /** For who has to do with leases, and counts in seconds: what takes longer is for the caller to decide. */
    static final Duration LONGEST_FOR_LEASES = Duration.ofSeconds(1);
    /** Times the number of tries: ten take five seconds. */
    private static final Duration PAUSE = Duration.ofMillis(100);

    private final Scheduler timer;

    Patience(Scheduler timer) {
        this.timer = timer;
    }

    /**
     * @param reads whether the request changes nothing, so that to send it again does no harm even if it did arrive
     * @param longest what a server may ask to be left alone for
     */
    Retry retry(boolean reads, Duration longest) {
        return Retry.from(failures -> failures.concatMap(signal -> {
            Duration wait = signal.totalRetries() + 1 >= TRIES ? null : wait(signal.failure(), reads, longest, signal.totalRetries());
            return wait == null ? Mono.<Long>error(signal.failure()) : Mono.delay(wait, timer);
        }));
    }

    /** Null where trying again is not for us to decide. */
    private static @Nullable Duration wait(Throwable failure, boolean reads, Duration longest, long retries) {
        Duration pause = PAUSE.multipliedBy(retries);
        if (failure instanceof StatusException refusal && (refusal.code() == 429 || refusal.code() >= 500)) {
            return refusal.retryAfter().filter(wait -> wait.compareTo(longest) <= 0).map(wait -> longer(wait, pause)).orElse(null);
        }
        return reads && failure instanceof TransportException lost && lost.beforeAnswer() ? pause : null;
    }

    private static Duration longer(Duration one, Duration other) {
        return one.compareTo(other) >= 0 ? one : other;
    }
}
