package io.reactiveinformer.delta;

/** How we know that something is no longer there. */
public enum DeletionCause {
    /** The server said so. */
    OBSERVED,
    /** A complete list did not have it any more; the last known state may be stale. client-go's {@code DeletedFinalStateUnknown}. */
    INFERRED,
    /** It left the filter, the selector's view or the scope; it may well exist. */
    LEFT
}
