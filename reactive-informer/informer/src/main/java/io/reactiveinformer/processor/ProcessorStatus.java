package io.reactiveinformer.processor;

import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * How far a {@link RowProcessor} is, at the moment of the call.
 *
 * @param name the name of the processor
 * @param state what it does now
 * @param running the number of rows that are worked on
 * @param behind the number of rows whose newest state is not finished, with those that are worked on or failing
 * @param behindSince when the first of these got behind; null if there is none
 * @param failing the number of rows whose work has failed since they were finished last
 * @param failures some of these, at most {@value #MOST_FAILURES}: those that got behind first
 * @param end why it has ended; null if it has not failed
 */
public record ProcessorStatus(String name, State state, int running, int behind, @Nullable Instant behindSince, int failing,
        List<Failing> failures, @Nullable Throwable end) {

    /** The most rows in {@link #failures}. */
    public static final int MOST_FAILURES = 100;

    /** Copies the list. */
    public ProcessorStatus {
        failures = List.copyOf(failures);
    }

    /** Whether it has not ended, and no row fails. */
    public boolean healthy() {
        return end == null && failing == 0 && state != State.STOPPED;
    }

    /** What a processor does. */
    public enum State {
        /** It was not started, or its subscriber has cancelled. */
        IDLE,
        /** It works, and the rows that were there at its start are not all finished. */
        SYNCING,
        /** It works, and has finished the rows that were there at its start. */
        WORKING,
        /** It ends when the running work has ended. */
        DRAINING,
        /** It has ended. */
        STOPPED
    }

    /**
     * A row whose last work has failed.
     *
     * @param key the key of the row, as text
     * @param retries how often its work has failed in a row
     * @param cause why it failed last
     * @param next when it is tried again, unless it changes before
     */
    public record Failing(String key, int retries, Throwable cause, Instant next) {}
}
