package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/** No complete answer came: the server could not be reached, was silent for too long, or the connection broke. Trying again may help. */
public final class TransportException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    public TransportException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
