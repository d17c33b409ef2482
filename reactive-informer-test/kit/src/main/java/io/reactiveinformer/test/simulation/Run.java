package io.reactiveinformer.test.simulation;

import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a container runs. As text, in the annotation {@value #ANNOTATION} of a pod: {@code run}, {@code succeed after 5s},
 * {@code fail after 200ms}, {@code never}.
 *
 * @param end how it ends
 * @param after the time from its start to its end; ignored if it does not end
 */
public record Run(End end, Duration after) {

    /** The annotation that sets the run of a pod, whatever its image is. */
    public static final String ANNOTATION = "simulation.reactiveinformer.io/run";

    private static final Pattern TEXT = Pattern.compile("(run|never)|(succeed|fail) after (\\d{1,9})(ms|s|m|h)");

    /** How a container ends. */
    public enum End {
        /** It runs until it is stopped. */
        NONE,
        /** It ends with exit code 0. */
        SUCCESS,
        /** It ends with exit code 1. */
        FAILURE,
        /** It never starts: its image cannot be pulled. */
        NO_IMAGE
    }

    /** A container that runs until it is stopped. */
    public static Run forever() {
        return new Run(End.NONE, Duration.ZERO);
    }

    /** A container that ends with exit code 0, this time after its start. */
    public static Run succeedAfter(Duration time) {
        return new Run(End.SUCCESS, time);
    }

    /** A container that ends with exit code 1, this time after its start. */
    public static Run failAfter(Duration time) {
        return new Run(End.FAILURE, time);
    }

    /** A container that never starts, since its image cannot be pulled. */
    public static Run never() {
        return new Run(End.NO_IMAGE, Duration.ZERO);
    }

    /**
     * Parses the text of an annotation, in any case, with a time in {@code ms}, {@code s}, {@code m} or {@code h}.
     *
     * @throws IllegalArgumentException if it is no such text
     */
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
