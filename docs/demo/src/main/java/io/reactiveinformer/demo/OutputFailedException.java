package io.reactiveinformer.demo;

import java.io.IOException;

/** The output cannot be written for a reason on this machine, such as a full disk. */
final class OutputFailedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    OutputFailedException(IOException cause) {
        super("cannot write the output: " + cause.getMessage(), cause);
    }
}
