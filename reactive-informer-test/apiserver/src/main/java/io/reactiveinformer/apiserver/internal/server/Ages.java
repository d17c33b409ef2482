package io.reactiveinformer.apiserver.internal.server;

import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeParseException;

/** Ages as {@code kubectl} prints them: {@code 8s}, {@code 2m5s}, {@code 3h}, {@code 12d}. */
final class Ages {

    private Ages() {}

    static String since(String timestamp, Instant now) {
        try {
            return timestamp.isEmpty() ? "<unknown>" : of(Duration.between(Instant.parse(timestamp), now));
        } catch (DateTimeParseException notATime) {
            return "<invalid>";
        }
    }

    static String of(Duration age) {
        long seconds = age.toSeconds();
        long minutes = seconds / 60;
        long hours = minutes / 60;
        long days = hours / 24;
        return seconds < -1 ? "<invalid>" : seconds < 0 ? "0s"
                : seconds < 120 ? seconds + "s"
                : minutes < 10 ? minutes + "m" + part(seconds % 60, "s")
                : minutes < 180 ? minutes + "m"
                : hours < 8 ? hours + "h" + part(minutes % 60, "m")
                : hours < 48 ? hours + "h"
                : days < 8 ? days + "d" + part(hours % 24, "h")
                : days < 730 ? days + "d"
                : days / 365 + "y" + (days / 365 < 8 ? part(days % 365, "d") : "");
    }

    private static String part(long rest, String unit) {
        return rest == 0 ? "" : rest + unit;
    }
}
