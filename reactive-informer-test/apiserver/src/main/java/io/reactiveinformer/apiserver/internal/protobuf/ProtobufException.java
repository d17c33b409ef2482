package io.reactiveinformer.apiserver.internal.protobuf;

/** Thrown for bytes that are no object of a type with protocol buffers; the message gives the reason. */
public final class ProtobufException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    ProtobufException(String message) {
        super(message);
    }
}
