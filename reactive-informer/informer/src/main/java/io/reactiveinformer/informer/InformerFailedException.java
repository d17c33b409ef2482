package io.reactiveinformer.informer;

import io.reactiveinformer.resource.KubernetesException;

/** An informer has ended because of a defect, in this library or in a function that was passed to it, and not because of the server. */
final class InformerFailedException extends KubernetesException {
    private static final long serialVersionUID = 1L;

    InformerFailedException(String what, Throwable cause) {
        super(what + ": ended by " + cause + ", which is a defect in the program, not a failure of the server", cause);
    }
}
