package io.reactiveinformer.internal.readers;

import io.reactiveinformer.internal.codec.Wire;
import org.jspecify.annotations.Nullable;

/**
 * A field of a message, and the property that it is.
 *
 * @param place the index of its property in the class
 * @param value reads the field, or a run of its elements, the first of whose tags has been read
 * @param omitsEmpty whether JSON lacks the property if the value is empty, false or 0
 * @param inline the fields of a message that are properties of the object around it; null for a field of its own
 */
@SuppressWarnings("ArrayRecordComponent") // never compared, nor written to
record MessageField(int place, MessageValue value, boolean omitsEmpty, @Nullable MessageField @Nullable [] inline) {

    private static final MessageValue SKIPPED = new MessageValue(Wire.LENGTH, null, (in, before) -> {
        in.at = in.endOfMessage();
        return null;
    });

    static MessageField inline(@Nullable MessageField[] fields) {
        return new MessageField(0, SKIPPED, false, fields);
    }

    /** A field that the class has, and that is left out. */
    static MessageField leftOut() {
        return new MessageField(0, SKIPPED, false, null);
    }

    /** The field of the tag that was read; null if there is none. */
    static @Nullable MessageField find(@Nullable MessageField[] table, int tag) {
        int number = Wire.number(tag);
        MessageField field = number < table.length ? table[number] : null;
        if (field != null) {
            field.value.check(tag);
        }
        return field;
    }

    /** Skips the value if it is one that JSON does not have. */
    boolean omits(MessageReader in) {
        if (omitsEmpty && in.hasMore() && in.bytes[in.at] == 0) { // no bytes, false or 0
            in.at++;
            return true;
        }
        return false;
    }
}
