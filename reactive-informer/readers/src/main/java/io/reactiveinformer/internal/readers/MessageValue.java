package io.reactiveinformer.internal.readers;

import io.reactiveinformer.internal.codec.MalformedMessageException;
import io.reactiveinformer.internal.codec.Wire;
import org.jspecify.annotations.Nullable;

/**
 * Reads one value of a field, or one element of it.
 *
 * @param kind the wire type
 * @param absent the value of an entry of a map that has none
 */
record MessageValue(int kind, @Nullable Object absent, Read reader) {

    @FunctionalInterface
    interface Read {

        /** Reads the value here, after its tag, as {@link Shape#read} does; null if it is none. */
        @Nullable Object read(MessageReader in, @Nullable Object before);
    }

    @Nullable Object read(MessageReader in, @Nullable Object before) {
        return reader.read(in, before);
    }

    /** @throws MalformedMessageException if the value after {@code tag} is of another wire type */
    void check(int tag) {
        if (Wire.kind(tag) != kind) {
            throw new MalformedMessageException("a field of wire type " + Wire.kind(tag) + " instead of " + kind);
        }
    }
}
