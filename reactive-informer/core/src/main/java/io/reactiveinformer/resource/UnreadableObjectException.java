package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/**
 * The body of one object could not be decoded or transformed. Other objects are not affected; the next event or list of this object is a
 * new attempt.
 */
public final class UnreadableObjectException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    /** @param message which object, and what was expected where; never contains the body */
    public UnreadableObjectException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
