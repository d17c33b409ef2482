package io.reactiveinformer.test.faults;

/** How a connection ends too early. Without sockets both are a failure of the transport. */
public enum Cut {
    /** Closed in order although the answer is incomplete, as by a killed server. */
    FIN,
    /** Reset. Bytes sent shortly before may be lost too. */
    RST
}
