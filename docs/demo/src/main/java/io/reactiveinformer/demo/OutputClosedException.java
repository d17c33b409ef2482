package io.reactiveinformer.demo;

import java.io.IOException;

/** Nobody reads the output any more: {@code ./informer | head}. A reason to end, not a failure. */
final class OutputClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputClosedException(IOException cause) {
        super("the output is closed", cause);
    }
}
