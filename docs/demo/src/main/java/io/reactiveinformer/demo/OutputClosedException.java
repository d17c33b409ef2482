package io.reactiveinformer.demo;

import java.io.IOException;

/** The reader has closed the output, as in {@code ./informer | head}. A reason to end, not a failure. */
final class OutputClosedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputClosedException(IOException cause) {
        super("the output is closed", cause);
    }
}
