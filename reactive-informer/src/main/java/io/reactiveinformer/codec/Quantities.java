package io.reactiveinformer.codec;

import io.kubernetes.client.custom.Quantity;
import java.math.BigDecimal;

/** Reads and writes quantities as their class does, and those that it cannot: it has sixteen digits for an exbibyte, which takes nineteen. */
final class Quantities {

    private static final String EXBI = "Ei";

    private Quantities() {}

    /** @throws RuntimeException if it is none */
    static Quantity parse(String text) {
        if (!text.endsWith(EXBI)) {
            return Quantity.fromString(text);
        }
        var count = new BigDecimal(text.substring(0, text.length() - EXBI.length()));
        return new Quantity(count.multiply(BigDecimal.valueOf(1L << 60)), Quantity.Format.BINARY_SI);
    }

    /** Without a suffix where there is none for it. */
    static String format(Quantity quantity) {
        try {
            return quantity.toSuffixedString();
        } catch (RuntimeException none) {
            return quantity.getNumber().toPlainString();
        }
    }
}
