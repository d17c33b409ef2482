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
        if (seconds < -1) {
            return "<invalid>";
        }
        if (seconds < 0) {
            return "0s";
        }
        if (seconds < 120) {
            return seconds + "s";
        }
        long minutes = seconds / 60;
        if (minutes < 10) {
            return minutes + "m" + part(seconds % 60, "s");
        }
        if (minutes < 180) {
            return minutes + "m";
        }
        long hours = minutes / 60;
        if (hours < 8) {
            return hours + "h" + part(minutes % 60, "m");
        }
        if (hours < 48) {
            return hours + "h";
        }
        long days = hours / 24;
        if (days < 8) {
            return days + "d" + part(hours % 24, "h");
        }
        if (days < 730) {
            return days + "d";
        }
        long years = days / 365;
        return years + "y" + (years < 8 ? part(days % 365, "d") : "");
    }

    private static String part(long rest, String unit) {
        return rest == 0 ? "" : rest + unit;
    }
}
