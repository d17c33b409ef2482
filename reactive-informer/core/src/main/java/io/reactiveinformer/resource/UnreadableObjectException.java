package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/** One object's body could not be decoded or transformed. The others are unharmed; the next event or list of this one tries again. */
public final class UnreadableObjectException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    /** @param message says which object, and what was expected where; never holds the body */
    public UnreadableObjectException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
