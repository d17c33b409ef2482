package io.reactiveinformer.internal.codec;

/** The bytes are no protocol buffer of the expected message. The message of the exception quotes nothing of them. */
public final class MalformedMessageException extends RuntimeException {

    private static final long serialVersionUID = 1L;

    public MalformedMessageException(String message) {
        super(message);
    }

    /** @param thrown by a reader of a part; its message may quote the part */
    public MalformedMessageException(RuntimeException thrown) {
        super("its reader failed with " + thrown.getClass().getName(), thrown);
    }
}
