package io.reactiveinformer.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a container's log is meant. A {@code with} method gives a copy that differs in one thing.
 *
 * @param container null where the pod has only one
 * @param follow whether to go on with what is written from now on, until the container ends
 * @param previous whether the container's run before this one is meant
 * @param since only what is not older; sent in whole seconds, rounded up; null for all
 * @param tailLines only the last lines; null for all
 * @param timestamps whether each line begins with when it was written
 * @param limitBytes after which the server ends; null for no limit
 */
public record LogOptions(
        @Nullable String container,
        boolean follow,
        boolean previous,
        @Nullable Duration since,
        @Nullable Integer tailLines,
        boolean timestamps,
        @Nullable Long limitBytes) {

    private static final LogOptions DEFAULTS = new LogOptions(null, false, false, null, null, false, null);

    public LogOptions {
        if (since != null && (since.isNegative() || since.isZero())) {
            throw new IllegalArgumentException("since must be more than nothing, was " + since);
        }
        if (tailLines != null && tailLines < 0) {
            throw new IllegalArgumentException("tailLines must be 0 or more, was " + tailLines);
        }
        if (limitBytes != null && limitBytes < 1) {
            throw new IllegalArgumentException("limitBytes must be at least 1, was " + limitBytes);
        }
    }

    /** All that there is of the only container's current run. */
    public static LogOptions defaults() {
        return DEFAULTS;
    }

    public LogOptions withContainer(String other) {
        return new LogOptions(other, follow, previous, since, tailLines, timestamps, limitBytes);
    }

    public LogOptions withFollow() {
        return new LogOptions(container, true, previous, since, tailLines, timestamps, limitBytes);
    }

    public LogOptions withPrevious() {
        return new LogOptions(container, follow, true, since, tailLines, timestamps, limitBytes);
    }

    public LogOptions withSince(Duration other) {
        return new LogOptions(container, follow, previous, other, tailLines, timestamps, limitBytes);
    }

    public LogOptions withTailLines(int other) {
        return new LogOptions(container, follow, previous, since, other, timestamps, limitBytes);
    }

    public LogOptions withTimestamps() {
        return new LogOptions(container, follow, previous, since, tailLines, true, limitBytes);
    }

    public LogOptions withLimitBytes(long other) {
        return new LogOptions(container, follow, previous, since, tailLines, timestamps, other);
    }
}
