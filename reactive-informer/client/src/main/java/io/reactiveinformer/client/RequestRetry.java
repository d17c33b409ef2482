package io.reactiveinformer.client;

import io.reactiveinformer.resource.InvalidRequestException;
import io.reactiveinformer.resource.StatusException;
import io.reactiveinformer.resource.TransportException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
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

    /** Most digits of a number of seconds that are parsed: thirty years. */
    private static final int MOST_DIGITS = 9;

    private static final Duration FOR_EVER = Duration.ofDays(100_000);

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

    /**
     * How long the server asks to wait by a {@code Retry-After}: seconds, or a date. Null if the field is neither; a date in the past gives
     * zero.
     *
     * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#field.retry-after">RFC 9110: Retry-After</a>
     */
    static @Nullable Duration parse(String field, Instant now) {
        String text = field.strip();
        if (text.isEmpty() || !text.chars().allMatch(c -> c >= '0' && c <= '9')) {
            return untilDate(text, now);
        }
        return text.length() > MOST_DIGITS ? FOR_EVER : Duration.ofSeconds(Long.parseLong(text));
    }

    private static @Nullable Duration untilDate(String text, Instant now) {
        try {
            Duration wait = Duration.between(now, DateTimeFormatter.RFC_1123_DATE_TIME.parse(text, Instant::from));
            return wait.isNegative() ? Duration.ZERO : wait;
        } catch (DateTimeParseException neither) {
            return null;
        }
    }
}
