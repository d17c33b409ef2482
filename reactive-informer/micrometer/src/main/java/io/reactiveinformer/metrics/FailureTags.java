package io.reactiveinformer.metrics;

import java.util.Locale;

/** Converts failures to values of a tag: one value for each class of exception. */
final class FailureTags {

    private FailureTags() {}

    /** The value of the tag: {@code resource-version-expired} for {@code ResourceVersionExpiredException}. */
    static String of(Throwable cause) {
        String name = cause.getClass().getSimpleName().replaceFirst("(Exception|Error)$", "");
        return name.isEmpty() ? "unknown" : name.replaceAll("(?<=[a-z0-9])(?=[A-Z])", "-").toLowerCase(Locale.ROOT);
    }
}
