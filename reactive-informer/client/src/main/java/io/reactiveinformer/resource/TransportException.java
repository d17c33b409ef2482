package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/** No complete answer arrived: the server could not be reached, sent nothing for too long, or the connection broke. A retry may help. */
public final class TransportException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    private final boolean beforeAnswer;

    /** Creates a failure whose {@link #beforeAnswer()} is false. */
    public TransportException(String message, @Nullable Throwable cause) {
        this(message, cause, false);
    }

    private TransportException(String message, @Nullable Throwable cause, boolean beforeAnswer) {
        super(message, cause);
        this.beforeAnswer = beforeAnswer;
    }

    /** Creates a failure whose {@link #beforeAnswer()} is true: an existing connection was lost before any part of the answer arrived. */
    public static TransportException lostBeforeAnswer(String message, @Nullable Throwable cause) {
        return new TransportException(message, cause, true);
    }

    /**
     * Whether an existing connection was lost before any part of the answer arrived, as happens if the server closes a pooled connection at
     * the moment of its reuse. A read may then be repeated at once; whether a write was carried out is unknown.
     */
    public boolean beforeAnswer() {
        return beforeAnswer;
    }
}
