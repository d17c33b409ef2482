package io.reactiveinformer.client;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * How long a server asks a client to wait: seconds, or a date.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#field.retry-after">RFC 9110: Retry-After</a>
 */
final class RetryAfter {

    /** Most digits of a number of seconds that are parsed: thirty years. */
    private static final int MOST_DIGITS = 9;

    private static final Duration FOR_EVER = Duration.ofDays(100_000);

    private RetryAfter() {}

    /** Null if the field is neither a number nor a date. A date in the past gives zero. */
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
