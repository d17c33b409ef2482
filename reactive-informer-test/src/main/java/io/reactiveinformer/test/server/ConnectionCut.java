package io.reactiveinformer.test.server;

/** The end of a connection in the middle of an answer, on purpose. */
public final class ConnectionCut extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** How the other side learns of it. */
    public enum Way {
        /** The connection is closed in order, though the answer is not complete. */
        FIN,
        /** The connection is reset; what was sent and not yet read may be lost. */
        RST
    }

    private final Way way;

    public ConnectionCut(Way way) {
        super("the connection was cut (" + way + ")", null, false, false);
        this.way = way;
    }

    public Way way() {
        return way;
    }
}
