package io.reactiveinformer.client;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.time.format.DateTimeParseException;
import org.jspecify.annotations.Nullable;

/**
 * How long a server asks to be left alone: seconds, or a date.
 *
 * @see <a href="https://www.rfc-editor.org/rfc/rfc9110#field.retry-after">RFC 9110: Retry-After</a>
 */
final class RetryAfter {

    private RetryAfter() {}

    /** Null where the field is neither. */
    static @Nullable Duration parse(String field, Instant now) {
        String text = field.strip();
        try {
            return Duration.ofSeconds(Integer.parseUnsignedInt(text));
        } catch (NumberFormatException notSeconds) {
            return untilDate(text, now);
        }
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
