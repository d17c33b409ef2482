package io.reactiveinformer.internal.codec;

/**
 * The positions of quotes and brackets among sixty-four bytes: found eight bytes at a time, so that the bytes between them cost little.
 * Filled repeatedly, by one thread.
 */
public final class ByteBlock {

    public static final int SIZE = Long.SIZE;

    /** A bracket of any kind is this value with some bits of the next one; so are a few letters. */
    private static final long BRACKETS = '\u007F' * LongScan.ONES;
    private static final long OF_BRACKETS = 0x26 * LongScan.ONES;

    private long quotes;
    private long brackets;

    /** @return false if the bytes must be examined one by one: there is, or may be, a backslash or a line break */
    public boolean read(byte[] bytes, int from) {
        long quotesFound = 0;
        long bracketsFound = 0;
        long others = 0;
        for (int i = 0; i < Long.BYTES; i++) {
            long word = LongScan.at(bytes, from + i * Long.BYTES);
            others |= LongScan.zeros(word ^ LongScan.BACKSLASHES) | LongScan.zeros(word ^ LongScan.LINE_BREAKS);
            quotesFound |= bits(word ^ LongScan.QUOTES) << i * Long.BYTES;
            bracketsFound |= bits((word | OF_BRACKETS) ^ BRACKETS) << i * Long.BYTES;
        }
        quotes = quotesFound;
        brackets = bracketsFound;
        return others == 0;
    }

    /** A bit for each byte that is zero, the lowest for the first. */
    private static long bits(long word) {
        long nonzero = (word & ~LongScan.HIGH_BITS) + ~LongScan.HIGH_BITS | word;
        return ((~nonzero & LongScan.HIGH_BITS) >>> 7) * 0x0102040810204080L >>> 56; // moves the eight bits together
    }

    /**
     * A bit for each byte that may be a bracket outside of strings, the lowest for the first; each bracket has one.
     *
     * @param inString whether the first byte is in a string
     */
    public long bracketsOutside(boolean inString) {
        long inside = quotes;
        for (int shift = 1; shift < SIZE; shift <<= 1) {
            inside ^= inside << shift; // each bit is the parity of those up to it
        }
        return brackets & (inString ? inside : ~inside);
    }

    /** Whether the byte after these is in a string. */
    public boolean endsInString(boolean inString) {
        return inString != ((Long.bitCount(quotes) & 1) != 0);
    }
}
