package io.reactiveinformer.apiserver.internal.protobuf;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/**
 * Reads the wire format of protocol buffers: numbered fields, one after the other.
 *
 * @see <a href="https://protobuf.dev/programming-guides/encoding/">Encoding</a>
 */
final class WireReader {

    private static final int VARINT = 0;
    private static final int FIXED_64 = 1;
    private static final int LENGTH = 2;
    private static final int FIXED_32 = 5;

    private final byte[] bytes;
    private final int end;
    private int at;
    private int kind;

    WireReader(byte[] bytes, int start, int end) {
        this.bytes = bytes;
        this.at = start;
        this.end = end;
    }

    boolean hasMore() {
        return at < end;
    }

    /** Reads the number of the next field. Its value must be read or skipped next. */
    int field() {
        long tag = readVarint();
        kind = (int) tag & 7;
        return (int) (tag >>> 3);
    }

    long varint() {
        expect(VARINT);
        return readVarint();
    }

    double doubleNumber() {
        expect(FIXED_64);
        int start = advance(Long.BYTES);
        long bits = 0;
        for (int i = Long.BYTES - 1; i >= 0; i--) {
            bits = bits << 8 | bytes[start + i] & 0xFF;
        }
        return Double.longBitsToDouble(bits);
    }

    byte[] bytes() {
        expect(LENGTH);
        int start = advance(readVarint());
        return Arrays.copyOfRange(bytes, start, at);
    }

    String text() {
        return new String(bytes(), StandardCharsets.UTF_8);
    }

    WireReader message() {
        expect(LENGTH);
        int start = advance(readVarint());
        return new WireReader(bytes, start, at);
    }

    void skip() {
        switch (kind) {
            case VARINT -> readVarint();
            case FIXED_64 -> advance(Long.BYTES);
            case LENGTH -> advance(readVarint());
            case FIXED_32 -> advance(Integer.BYTES);
            default -> throw new ProtobufException("a field of wire type " + kind + ", which is obsolete, before byte " + at);
        }
    }

    private long readVarint() {
        long value = 0;
        for (int shift = 0; shift < Long.SIZE; shift += 7) {
            byte next = bytes[advance(1)];
            value |= (next & 0x7FL) << shift;
            if (next >= 0) {
                return value;
            }
        }
        throw new ProtobufException("a number of more than 64 bits before byte " + at);
    }

    private void expect(int expected) {
        if (kind != expected) {
            throw new ProtobufException("a field of wire type " + kind + " instead of " + expected + " before byte " + at);
        }
    }

    /** Passes the next {@code count} bytes, and returns where they begin. */
    private int advance(long count) {
        if (count < 0 || count > end - at) {
            throw new ProtobufException("the bytes end in the middle of a field: " + count + " more expected, " + (end - at) + " there");
        }
        int start = at;
        at += (int) count;
        return start;
    }
}
