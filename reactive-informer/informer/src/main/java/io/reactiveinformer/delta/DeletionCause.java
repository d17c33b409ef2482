package io.reactiveinformer.delta;

/** How an object is known to be no longer there. */
public enum DeletionCause {
    /**
     * The server sent its deletion: it is gone, or no longer matches the selector of the list and watch, which the server reports in the
     * same way.
     */
    OBSERVED,
    /** A complete list no longer had it; the last known state may be stale. client-go's {@code DeletedFinalStateUnknown}. */
    INFERRED,
    /** It left the filter or the namespaces; it may still exist. */
    LEFT
}
