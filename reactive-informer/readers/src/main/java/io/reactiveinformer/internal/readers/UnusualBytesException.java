package io.reactiveinformer.internal.readers;


/** The bytes, right or wrong, are not what a {@link Shape} reads: Jackson decides. Without a stack trace. */
final class UnusualBytesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusualBytesException() {
        super("not read here", null, false, false);
    }
}
