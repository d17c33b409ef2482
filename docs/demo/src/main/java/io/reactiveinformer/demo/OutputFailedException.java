package io.reactiveinformer.demo;

import java.io.IOException;

/** The output cannot be written, though someone may be reading it: the disk is full. */
final class OutputFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputFailedException(IOException cause) {
        super("cannot write the output: " + cause.getMessage(), cause);
    }
}
