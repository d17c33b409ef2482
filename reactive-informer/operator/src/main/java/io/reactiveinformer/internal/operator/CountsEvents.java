package io.reactiveinformer.internal.operator;

import org.jspecify.annotations.Nullable;

/** Counts the Events that it records. For our modules that show the counts. */
public interface CountsEvents {

    /** The counts up to now. */
    Counts counts();

    /**
     * @param reporter the reporting controller
     * @param written how many writes were made
     * @param dropped how many occurrences were dropped
     * @param lastDrop what was dropped last, and why; null if nothing was
     */
    record Counts(String reporter, long written, long dropped, @Nullable String lastDrop) {}
}
