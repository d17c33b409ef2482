package io.reactiveinformer.delta;

/** How we know that something is no longer there. */
public enum DeletionCause {
    /** The server said so: it is gone, or does not match the selector of the list and watch any more, which the server tells in the same words. */
    OBSERVED,
    /** A complete list did not have it any more; the last known state may be stale. client-go's {@code DeletedFinalStateUnknown}. */
    INFERRED,
    /** It left the filter or the scope; it may well exist. */
    LEFT
}
