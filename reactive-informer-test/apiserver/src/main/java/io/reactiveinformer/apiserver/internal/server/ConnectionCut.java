package io.reactiveinformer.apiserver.internal.server;

/** Signals that a connection is to break on purpose, in the middle of an answer or instead of one. */
public final class ConnectionCut extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final boolean reset;

    /**
     * Breaks the connection of the answer that fails with this.
     *
     * @param reset true for RST; otherwise the connection is closed in order, although the answer is incomplete
     */
    public ConnectionCut(boolean reset) {
        super(reset ? "the connection was reset" : "the connection was closed", null, false, false);
        this.reset = reset;
    }

    boolean reset() {
        return reset;
    }
}
