package io.reactiveinformer.codec;

import java.util.Arrays;

/**
 * Where each object and list of a value ends, found in one pass by counting brackets outside of strings, and numbered in the order in which they
 * begin. Does not judge the value. One is filled again and again.
 */
final class Brackets {

    private static final int SMALL = 256;
    private static final int LARGE = 16 << 10;

    private final int[] open = new int[ObjectCodec.DEEPEST];
    private int[] ends = new int[SMALL];
    private int[] nexts = new int[SMALL];

    /** @return whether the object that begins at {@code from} has an end, each bracket is closed by one of its kind, and it is nested no deeper than allowed */
    boolean find(byte[] bytes, int from, int to) {
        int depth = 0;
        int count = 0;
        int at = from;
        while (at < to) {
            byte b = bytes[at++];
            if (b == '"') {
                at = endOfString(bytes, at, to);
                continue;
            }
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
                ends[closed] = at;
                nexts[closed] = count;
                if (depth == 0) {
                    return true;
                }
            }
        }
        return false;
    }

    private static int isCurly(byte bracket) {
        return bracket >> 5 & 1;
    }

    /** What a large object needed is not kept. */
    void clear() {
        if (ends.length > LARGE) {
            ends = new int[SMALL];
            nexts = new int[SMALL];
        }
    }

    /** The index after the quote that ends a string. */
    static int endOfString(byte[] bytes, int from, int to) {
        int at = Words.endOfPlain(bytes, from, to);
        while (at < to && bytes[at] != '"') {
            at = Words.endOfPlain(bytes, at + (bytes[at] == '\\' ? 2 : 1), to);
        }
        return at + 1;
    }

    /** The index after what the bracket of that number begins. */
    int end(int number) {
        return ends[number];
    }

    /** The number of the first bracket after it. */
    int next(int number) {
        return nexts[number];
    }
}
