package io.reactiveinformer.internal;

import java.security.SecureRandom;
import org.jspecify.annotations.Nullable;

/**
 * A hash of texts that differs from process to process. Thousands of valid names with the same {@link String#hashCode} are easy to make,
 * and a map of them would be slow for all its users. This hash cannot be predicted outside of the process.
 */
public final class SecretHash {

    /** Set for tests, so that behaviour that depends on the order of a hash map is reproducible. */
    static final String SEED_PROPERTY = "io.reactiveinformer.hashSeed";

    private static final long SEED;
    private static final long FACTOR;

    static {
        Long given = Long.getLong(SEED_PROPERTY);
        SEED = given != null ? mixed(given, 0x9E3779B97F4A7C15L) : new SecureRandom().nextLong();
        FACTOR = mixed(SEED, 0xD1B54A32D192ED03L) | 1;
    }

    private SecretHash() {}

    /** Draws the secret, unless that has been done. It may block, so that it is not left to an event loop. */
    public static void prepare() {}

    /** The hash of {@code text}; the same for equal texts throughout this process, and unpredictable outside of it. */
    public static int of(String text) {
        return folded(over(text, SEED));
    }

    /** The hash of two texts in this order; a null {@code first} differs from an empty one. */
    public static int of(@Nullable String first, String second) {
        return folded(over(second, first == null ? ~SEED : over(first, SEED)));
    }

    /** Four characters at a time. */
    private static long over(String text, long begun) {
        int length = text.length();
        long hash = mixed(begun + length, FACTOR); // so that the border between two texts counts
        int at = 0;
        for (; at + 4 <= length; at += 4) {
            long four = text.charAt(at) | (long) text.charAt(at + 1) << 16 | (long) text.charAt(at + 2) << 32
                    | (long) text.charAt(at + 3) << 48;
            hash = mixed(hash ^ four, FACTOR);
        }
        long rest = 0;
        for (; at < length; at++) {
            rest = rest << 16 | text.charAt(at);
        }
        return mixed(hash ^ rest, FACTOR);
    }

    /** Combines both halves of the product. */
    private static long mixed(long value, long factor) {
        return value * factor ^ Math.multiplyHigh(value, factor);
    }

    private static int folded(long hash) {
        return (int) (hash ^ hash >>> 32);
    }
}
