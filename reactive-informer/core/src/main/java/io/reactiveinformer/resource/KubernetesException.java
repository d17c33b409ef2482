package io.reactiveinformer.resource;

import org.jspecify.annotations.Nullable;

/** Root of all failures of this library. Each subclass stands for one thing that a caller can do about it. */
public abstract class KubernetesException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    protected KubernetesException(String message, @Nullable Throwable cause) {
        super(message, cause);
    }
}
