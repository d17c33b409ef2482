package io.reactiveinformer.internal.codec;

/** The bytes are no protocol buffer of the expected message. The message of the exception quotes nothing of them. */
final class MalformedMessageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    MalformedMessageException(String message) {
        super(message);
    }

    /** @param thrown by a reader of a part; its message may quote the part */
    MalformedMessageException(RuntimeException thrown) {
        super("its reader failed with " + thrown.getClass().getName(), thrown);
    }
}
