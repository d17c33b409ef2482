package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/** No complete answer came: the server could not be reached, was silent for too long, or the connection broke. Trying again may help. */
public final class TransportException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    private final boolean beforeAnswer;

    public TransportException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private TransportException(String message, @Nullable Throwable cause, boolean beforeAnswer) {
        super(message, cause);
        this.beforeAnswer = beforeAnswer;
    }

    /** A connection was there, and went away before anything was answered. */
    public static TransportException lostBeforeAnswer(String message, @Nullable Throwable cause) {
        return new TransportException(message, cause, true);
    }

    /**
     * Whether a connection was there, and went away before anything was answered, as happens to one that the server closes while it is
     * taken up again. What only reads may then be asked again at once; whether a write was carried out is unknown.
     */
    public boolean beforeAnswer() {
        return beforeAnswer;
    }
}
