package io.reactiveinformer.internal.codec;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Searches bytes, eight at a time. */
public final class LongScan {

    private static final VarHandle EIGHT = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
    static final long ONES = 0x0101010101010101L;
    static final long HIGH_BITS = 0x8080808080808080L;
    static final long QUOTES = '"' * ONES;
    static final long BACKSLASHES = '\\' * ONES;
    static final long LINE_BREAKS = '\n' * ONES;

    private LongScan() {}

    /** The eight bytes from there; the first is the lowest. */
    static long at(byte[] bytes, int from) {
        return (long) EIGHT.get(bytes, from);
    }

    /** The index of the first quote, backslash or line break; {@code to} if there is none. */
    public static int endOfPlain(byte[] bytes, int from, int to) {
        int at = from;
        for (; at + Long.BYTES <= to; at += Long.BYTES) {
            long word = at(bytes, at);
            long found = zeros(word ^ QUOTES) | zeros(word ^ BACKSLASHES) | zeros(word ^ LINE_BREAKS);
            if (found != 0) {
                return at + (Long.numberOfTrailingZeros(found) >>> 3);
            }
        }
        while (at < to && bytes[at] != '"' && bytes[at] != '\\' && bytes[at] != '\n') {
            at++;
        }
        return at;
    }

    /** The highest bit of each byte that is zero; maybe also of a byte above one that is zero. */
    static long zeros(long word) {
        return word - ONES & ~word & HIGH_BITS;
    }
}
