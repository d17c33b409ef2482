package io.reactiveinformer.apiserver.internal.protobuf;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes the wire format of protocol buffers, field by field, as {@link WireReader} reads it. */
final class WireWriter {

    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int LENGTH = 2;

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    byte[] bytes() {
        return bytes.toByteArray();
    }

    WireWriter varint(int field, long value) {
        tag(field, VARINT);
        writeVarint(value);
        return this;
    }

    WireWriter doubleNumber(int field, double value) {
        tag(field, FIXED_64);
        long bits = Double.doubleToLongBits(value);
        for (int i = 0; i < Long.BYTES; i++) {
            bytes.write((int) (bits >>> 8 * i));
        }
        return this;
    }

    WireWriter text(int field, String value) {
        return bytes(field, value.getBytes(StandardCharsets.UTF_8));
    }

    /** Writes a field of bytes, or of a message. */
    WireWriter bytes(int field, byte[] value) {
        tag(field, LENGTH);
        writeVarint(value.length);
        bytes.writeBytes(value);
        return this;
    }

    private void tag(int field, int kind) {
        writeVarint((long) field << 3 | kind);
    }

    private void writeVarint(long value) {
        long rest = value;
        while ((rest & ~0x7FL) != 0) {
            bytes.write((int) (rest & 0x7F | 0x80));
            rest >>>= 7;
        }
        bytes.write((int) rest);
    }
}
