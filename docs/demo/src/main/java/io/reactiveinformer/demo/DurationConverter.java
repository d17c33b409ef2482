package io.reactiveinformer.demo;

import java.time.Duration;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import picocli.CommandLine.ITypeConverter;
import picocli.CommandLine.TypeConversionException;

/** Durations as kubectl takes them: {@code 30s}, {@code 1m30s}, {@code 500ms}, {@code 1.5h}. */
final class DurationConverter implements ITypeConverter<Duration> {

    /** Thirty years: nanoseconds in a long end after three hundred. */
    private static final double LONGEST_MILLIS = 1e12;

    private static final Pattern PART = Pattern.compile("(\\d+(?:\\.\\d+)?)(ms|s|m|h)");
    private static final Pattern WHOLE = Pattern.compile("(?:" + PART.pattern() + ")+");

    @Override
    public Duration convert(String text) {
        if (!WHOLE.matcher(text).matches()) {
            throw new TypeConversionException("'" + text + "' is no duration; write it as 30s, 500ms or 1m30s");
        }
        double millis = 0;
        for (Matcher part = PART.matcher(text); part.find();) {
            millis += Double.parseDouble(part.group(1)) * millisOf(part.group(2));
        }
        if (millis < 1 || millis > LONGEST_MILLIS) {
            throw new TypeConversionException("'" + text + "' is too " + (millis < 1 ? "short" : "long")
                    + "; write it as 30s, 500ms or 1m30s");
        }
        return Duration.ofMillis(Math.round(millis));
    }

    private static long millisOf(String unit) {
        return switch (unit) {
            case "ms" -> 1;
            case "s" -> 1_000;
            case "m" -> 60_000;
            default -> 3_600_000;
        };
    }
}
