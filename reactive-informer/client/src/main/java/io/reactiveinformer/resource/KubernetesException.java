package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/** The base class of the failures that this library emits. Each subclass stands for one reaction of the caller. */
public abstract class KubernetesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param cause null if there is none */
    protected KubernetesException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
