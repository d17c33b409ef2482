package io.reactiveinformer.apiserver.internal.protobuf;

/** These bytes are no object of a type that has protocol buffers; the message says why. */
public final class ProtobufException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ProtobufException(String message) {
        super(message);
    }
}
