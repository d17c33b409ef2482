package io.reactiveinformer.test.faults;

/** How a connection ends before its time. Without sockets both are a failure of the transport. */
public enum Cut {
    /** Closed in order, though the answer is not complete: what a killed server leaves. */
    FIN,
    /** Reset; what was sent shortly before may be lost with it. */
    RST
}
