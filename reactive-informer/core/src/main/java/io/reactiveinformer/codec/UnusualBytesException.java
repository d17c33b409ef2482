package io.reactiveinformer.codec;

/** The bytes may be right or wrong, but are not what a {@link Shape} reads: let Jackson say. Where they are is of no interest. */
final class UnusualBytesException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    UnusualBytesException() {
        super("not read here", null, false, false);
    }
}
