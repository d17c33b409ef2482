package io.reactiveinformer.apiserver.internal.server;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** Ages as {@code kubectl} prints them: {@code 8s}, {@code 2m5s}, {@code 3h}, {@code 12d}. */
final class Ages {

    private static final long MINUTE = 60;
    private static final long HOUR = 60 * MINUTE;
    private static final long DAY = 24 * HOUR;
    private static final long YEAR = 365 * DAY;

    private Ages() {}

    static String since(String timestamp, Instant now) {
        try {
            return timestamp.isEmpty() ? "<unknown>" : of(Duration.between(Instant.parse(timestamp), now).toSeconds());
        } catch (DateTimeParseException notATime) {
            return "<invalid>";
        }
    }

    private static String of(long seconds) {
        return seconds < -1 ? "<invalid>"
                : seconds < 2 * MINUTE ? Math.max(0, seconds) + "s"
                : seconds < 10 * MINUTE ? seconds / MINUTE + "m" + rest(seconds % MINUTE, "s")
                : seconds < 3 * HOUR ? seconds / MINUTE + "m"
                : seconds < 8 * HOUR ? seconds / HOUR + "h" + rest(seconds % HOUR / MINUTE, "m")
                : seconds < 2 * DAY ? seconds / HOUR + "h"
                : seconds < 8 * DAY ? seconds / DAY + "d" + rest(seconds % DAY / HOUR, "h")
                : seconds < 2 * YEAR ? seconds / DAY + "d"
                : seconds / YEAR + "y" + (seconds < 8 * YEAR ? rest(seconds % YEAR / DAY, "d") : "");
    }

    private static String rest(long rest, String unit) {
        return rest == 0 ? "" : rest + unit;
    }
}
