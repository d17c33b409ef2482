package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/**
 * The body of one object could not be decoded or transformed. Other objects are not affected; with the next event of this object, or the
 * next list, it is tried again.
 */
public final class UnreadableObjectException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    /** @param message names the object, and what was expected at which place in it; never contains the body */
    public UnreadableObjectException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
