package io.reactiveinformer.informer;

import io.reactiveinformer.resource.KubernetesException;

/** An informer ended by a failure that is not the server's: a defect in this library, or in a function that was passed to it. */
public final class InformerFailedException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    InformerFailedException(String what, Throwable cause) {
        super(what + ": ended by " + cause + ", which is a mistake in the program rather than the server's doing", cause);
    }
}
