package io.reactiveinformer.apiserver.internal.server;

/** The end of a connection in the middle of an answer, or instead of one, on purpose. */
public final class ConnectionCut extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean reset;

    /** @param reset by RST; otherwise the connection is closed in order, though the answer is not complete */
    public ConnectionCut(boolean reset) {
        super(reset ? "the connection was reset" : "the connection was closed", null, false, false);
        this.reset = reset;
    }

    boolean reset() {
        return reset;
    }
}
