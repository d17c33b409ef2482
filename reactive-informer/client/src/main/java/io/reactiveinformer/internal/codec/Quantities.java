package io.reactiveinformer.internal.codec;

import io.kubernetes.client.custom.Quantity;
import java.math.BigDecimal;
import java.util.Locale;

/**
 * Reads and writes quantities as their class does, and also those that the class cannot: it has sixteen digits for an exbibyte, which takes
 * nineteen.
 *
 * <p>A server writes nineteen digits and a suffix at most. Reading or writing digits takes time quadratic in their number, and an exponent
 * stands for as many digits as its value, so both are limited.
 */
final class Quantities {

    /** Limit of characters of a quantity. */
    static final int LONGEST = 100;

    /** Limit of digits, before the point or after it, that an exponent may stand for. */
    static final int LARGEST_EXPONENT = 100;

    private static final String EXBI = "Ei";

    private Quantities() {}

    /**
     * @throws BeyondLimitException if it is longer than {@value #LONGEST}, or has a larger exponent than {@value #LARGEST_EXPONENT}
     * @throws RuntimeException if it is no quantity
     */
    static Quantity parse(String text) {
        BeyondLimitException.check(text, LONGEST);
        if (text.endsWith(EXBI)) {
            var count = new BigDecimal(text.substring(0, text.length() - EXBI.length()));
            checkExponent(count);
            return new Quantity(count.multiply(BigDecimal.valueOf(1L << 60)), Quantity.Format.BINARY_SI);
        }
        int exponent = text.toLowerCase(Locale.ROOT).indexOf('e');
        if (exponent >= 0 && exponent < text.length() - 1) {
            checkExponent(new BigDecimal("1" + text.substring(exponent))); // the class would first make a number of so many digits
        }
        return Quantity.fromString(text);
    }

    private static void checkExponent(BigDecimal number) {
        if (Math.abs((long) number.scale()) > LARGEST_EXPONENT) {
            throw new BeyondLimitException("an exponent of " + -(long) number.scale() + "; at most " + LARGEST_EXPONENT + " is read");
        }
    }

    /**
     * Writes a quantity; without a suffix if none fits.
     *
     * @throws IllegalArgumentException if it has more digits than {@link #parse} reads, for which there may not be the memory
     */
    static String format(Quantity quantity) {
        BigDecimal number = quantity.getNumber();
        long digits = Math.max(number.precision(), Math.abs((long) number.scale()));
        if (digits > 2 * LONGEST) {
            throw new IllegalArgumentException("a quantity of " + digits + " digits; at most " + 2 * LONGEST + " are written");
        }
        try {
            return quantity.toSuffixedString();
        } catch (RuntimeException none) {
            return number.toPlainString();
        }
    }
}
