package io.reactiveinformer.client;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * Which part of a container's log is read. A {@code with} method gives a copy that differs in one thing.
 *
 * @param container null if the pod has only one
 * @param follow whether to continue with what is written from now on, until the container ends
 * @param previous whether the log is that of the container's previous run
 * @param since greatest age of a line; more than zero; sent in whole seconds, rounded up; null for any
 * @param tailLines number of lines before the end of the log to begin with; 0 or more; null for all
 * @param timestamps whether each line begins with the time when it was written
 * @param limitBytes most bytes that the server sends; at least 1; null for no limit
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

    /**
     * @throws IllegalArgumentException if {@code since} is zero or negative, {@code tailLines} negative, or {@code limitBytes} less than 1
     */
    public LogOptions {
        if (since != null && (since.isNegative() || since.isZero())) {
            throw new IllegalArgumentException("since must be more than zero, was " + since);
        }
        if (tailLines != null && tailLines < 0) {
            throw new IllegalArgumentException("tailLines must be 0 or more, was " + tailLines);
        }
        if (limitBytes != null && limitBytes < 1) {
            throw new IllegalArgumentException("limitBytes must be at least 1, was " + limitBytes);
        }
    }

    /** The whole log of the only container's current run. */
    public static LogOptions defaults() {
        return DEFAULTS;
    }

    /** A copy for this container. */
    public LogOptions withContainer(String other) {
        return new LogOptions(other, follow, previous, since, tailLines, timestamps, limitBytes);
    }

    /** A copy that continues until the container ends. */
    public LogOptions withFollow() {
        return new LogOptions(container, true, previous, since, tailLines, timestamps, limitBytes);
    }

    /** A copy for the container's previous run. */
    public LogOptions withPrevious() {
        return new LogOptions(container, follow, true, since, tailLines, timestamps, limitBytes);
    }

    /**
     * A copy for what is not older than {@code other}.
     *
     * @throws IllegalArgumentException if {@code other} is zero or negative
     */
    public LogOptions withSince(Duration other) {
        return new LogOptions(container, follow, previous, other, tailLines, timestamps, limitBytes);
    }

    /**
     * A copy for the last {@code other} lines only.
     *
     * @throws IllegalArgumentException if {@code other} is negative
     */
    public LogOptions withTailLines(int other) {
        return new LogOptions(container, follow, previous, since, other, timestamps, limitBytes);
    }

    /** A copy in which each line begins with the time when it was written. */
    public LogOptions withTimestamps() {
        return new LogOptions(container, follow, previous, since, tailLines, true, limitBytes);
    }

    /**
     * A copy that ends after {@code other} bytes.
     *
     * @throws IllegalArgumentException if {@code other} is less than 1
     */
    public LogOptions withLimitBytes(long other) {
        return new LogOptions(container, follow, previous, since, tailLines, timestamps, other);
    }
}
