package io.reactiveinformer.apiserver.internal.patch;

/** Thrown for a patch that is malformed or cannot be applied to its target. */
public final class PatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PatchException(String message) {
        super(message);
    }
}
