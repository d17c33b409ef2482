package io.reactiveinformer.test.simulation;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What becomes of a container once it has started. As text, in the annotation {@value #ANNOTATION} of a pod: {@code run}, {@code succeed after
 * 5s}, {@code fail after 200ms}, {@code never}.
 *
 * @param end how it ends
 * @param after so long after its start; without meaning where it does not end
 */
public record Run(End end, Duration after) {

    /** Says it of a pod, whatever its image is. */
    public static final String ANNOTATION = "simulation.reactiveinformer.io/run";

    private static final Pattern TEXT = Pattern.compile("(run|never)|(succeed|fail) after (\\d{1,9})(ms|s|m|h)");

    /** How a container ends. */
    public enum End {
        /** Not by itself. */
        NONE,
        /** With exit code 0. */
        SUCCESS,
        /** With exit code 1. */
        FAILURE,
        /** It does not even start: its image cannot be pulled. */
        NO_IMAGE
    }

    public static Run forever() {
        return new Run(End.NONE, Duration.ZERO);
    }

    public static Run succeedAfter(Duration time) {
        return new Run(End.SUCCESS, time);
    }

    public static Run failAfter(Duration time) {
        return new Run(End.FAILURE, time);
    }

    public static Run never() {
        return new Run(End.NO_IMAGE, Duration.ZERO);
    }

    /** Reads an annotation. */
    public static Run parse(String text) {
        Matcher words = TEXT.matcher(text.strip().toLowerCase(Locale.ROOT));
        if (!words.matches()) {
            throw new IllegalArgumentException(
                    ANNOTATION + " must be \"run\", \"never\", \"succeed after 5s\" or \"fail after 5s\", was \"" + text + "\"");
        }
        if (words.group(1) != null) {
            return words.group(1).equals("run") ? forever() : never();
        }
        long number = Long.parseLong(words.group(3));
        Duration time = switch (words.group(4)) {
            case "ms" -> Duration.ofMillis(number);
            case "s" -> Duration.ofSeconds(number);
            case "m" -> Duration.ofMinutes(number);
            default -> Duration.ofHours(number);
        };
        return words.group(2).equals("succeed") ? succeedAfter(time) : failAfter(time);
    }
}
