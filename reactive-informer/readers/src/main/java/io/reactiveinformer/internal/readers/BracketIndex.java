package io.reactiveinformer.internal.readers;

import io.reactiveinformer.internal.codec.ByteBlock;
import io.reactiveinformer.internal.codec.LongScan;
import io.reactiveinformer.internal.codec.ObjectCodec;
import java.util.Arrays;

/**
 * The ends of all objects and lists of a value, found in one pass by counting brackets outside of strings, and numbered in the order in
 * which they begin. Does not validate the value. One instance is filled repeatedly.
 */
final class BracketIndex {

    private static final int SMALL = 256;
    private static final int LARGE = 16 << 10;

    private final int[] open = new int[ObjectCodec.DEEPEST];
    private int[] ends = new int[SMALL];
    private int[] nexts = new int[SMALL];
    private final ByteBlock block = new ByteBlock();
    private int depth;
    private int count;

    /**
     * @return whether the object that begins at {@code from} has an end, each bracket is closed by one of its kind, and it is nested no
     * deeper than allowed
     */
    boolean find(byte[] bytes, int from, int to) {
        depth = 0;
        count = 0;
        boolean inString = false;
        int at = from;
        while (at < to) {
            if (to - at >= ByteBlock.SIZE && block.read(bytes, at)) {
                for (long left = block.bracketsOutside(inString); left != 0; left &= left - 1) {
                    int place = at + Long.numberOfTrailingZeros(left);
                    if (!isSound(bytes[place], place + 1)) {
                        return false;
                    }
                    if (depth == 0) {
                        return true;
                    }
                }
                inString = block.endsInString(inString);
                at += ByteBlock.SIZE;
                continue;
            }
            for (int until = Math.min(to, at + ByteBlock.SIZE); at < until;) {
                byte b = bytes[at++];
                if (inString || b == '"') {
                    at = endOfString(bytes, inString ? at - 1 : at, to);
                    inString = false;
                } else if (!isSound(b, at)) {
                    return false;
                } else if (depth == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    /**
     * Takes the next byte outside of strings, which may be a bracket; {@code end} is the index after it. False if it is not allowed there.
     */
    private boolean isSound(byte b, int end) {
        int bracket = b | 0x20; // square and curly ones differ only in this bit
        if (bracket == '{') {
            if (depth == open.length) {
                return false;
            }
            if (count == ends.length) {
                ends = Arrays.copyOf(ends, count * 2);
                nexts = Arrays.copyOf(nexts, count * 2);
            }
            open[depth++] = count++ << 1 | isCurly(b);
        } else if (bracket == '}') {
            int closed = open[--depth] >> 1;
            if ((open[depth] & 1) != isCurly(b)) {
                return false;
            }
            ends[closed] = end;
            nexts[closed] = count;
        }
        return true;
    }

    private static int isCurly(byte bracket) {
        return bracket >> 5 & 1;
    }

    /** Releases the memory that a large object needed. */
    void clear() {
        if (ends.length > LARGE) {
            ends = new int[SMALL];
            nexts = new int[SMALL];
        }
    }

    /** The index after the quote that ends a string. */
    static int endOfString(byte[] bytes, int from, int to) {
        int at = LongScan.endOfPlain(bytes, from, to);
        while (at < to && bytes[at] != '"') {
            at = LongScan.endOfPlain(bytes, at + (bytes[at] == '\\' ? 2 : 1), to);
        }
        return at + 1;
    }

    /** The index after the object or list that the bracket of that number begins. */
    int end(int number) {
        return ends[number];
    }

    /** The number of the first bracket after that object or list. */
    int next(int number) {
        return nexts[number];
    }
}
