package io.reactiveinformer.apiserver.internal.schema;

import java.nio.charset.StandardCharsets;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Times with exactly six digits after the point, and Go's error messages for others. */
final class MicroTimes {

    private static final Pattern TIME = Pattern.compile("\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\d(\\.\\d+)?(Z|[+-]\\d\\d:\\d\\d)");
    private static final int POINT_AND_DIGITS = 7;

    private MicroTimes() {}

    /** A text as Go quotes it in such messages: byte by byte. */
    static String quoted(String time) {
        var quoted = new StringBuilder();
        for (byte each : time.getBytes(StandardCharsets.UTF_8)) {
            quoted.append(each < ' ' ? "\\x%02x".formatted(each) : (each == '"' || each == '\\' ? "\\" : "") + (char) each);
        }
        return quoted.toString();
    }

    /** The error message for this text; empty if it is valid. */
    static String problem(String time) {
        Matcher parts = TIME.matcher(time);
        String fraction = parts.matches() && parts.group(1) != null ? parts.group(1) : "";
        if (fraction.length() == POINT_AND_DIGITS) {
            return "";
        }
        String start = "parsing time \"" + quoted(time) + "\" as \"2006-01-02T15:04:05.000000Z07:00\": cannot parse \"";
        if (!parts.matches()) {
            return start + quoted(time) + "\" as \"2006\"";
        }
        return fraction.length() > POINT_AND_DIGITS
                ? start + fraction.substring(POINT_AND_DIGITS) + parts.group(2) + "\" as \"Z07:00\""
                : start + fraction + parts.group(2) + "\" as \".000000\"";
    }
}
