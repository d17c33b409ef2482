package io.reactiveinformer.benchmarks.trial;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;

/** Writes protocol buffers. */
final class Wire {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    Wire text(int field, String text) {
        return bytes(field, text.getBytes(StandardCharsets.UTF_8));
    }

    Wire bytes(int field, byte[] value) {
        begin(field, value.length);
        bytes.writeBytes(value);
        return this;
    }

    Wire number(int field, long value) {
        varint((long) field << 3);
        varint(value);
        return this;
    }

    /** A field of bytes that are written elsewhere. */
    Wire begin(int field, int length) {
        varint((long) field << 3 | 2);
        varint(length);
        return this;
    }

    private void varint(long value) {
        byte[] written = new byte[varintSize(value)];
        writeVarint(written, 0, value);
        bytes.writeBytes(written);
    }

    byte[] bytes() {
        return bytes.toByteArray();
    }

    /** The bytes of a field whose value has this length and whose number is below 16. */
    static int fieldSize(int length) {
        return 1 + varintSize(length) + length;
    }

    static int varintSize(long value) {
        return value == 0 ? 1 : (Long.SIZE - Long.numberOfLeadingZeros(value) + 6) / 7;
    }

    /** Returns the place after it. */
    static int writeVarint(byte[] target, int at, long value) {
        int place = at;
        long rest = value;
        for (; (rest & ~0x7FL) != 0; rest >>>= 7) {
            target[place++] = (byte) (rest & 0x7F | 0x80);
        }
        target[place++] = (byte) rest;
        return place;
    }

    static long readVarint(byte[] source, int at) {
        long value = 0;
        for (int i = 0;; i++) {
            value |= (source[at + i] & 0x7FL) << 7 * i;
            if (source[at + i] >= 0) {
                return value;
            }
        }
    }
}
