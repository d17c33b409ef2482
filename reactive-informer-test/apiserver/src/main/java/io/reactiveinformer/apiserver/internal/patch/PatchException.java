package io.reactiveinformer.apiserver.internal.patch;

/** A patch that cannot be applied to this tree, or is none. */
public final class PatchException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    PatchException(String message) {
        super(message);
    }
}
