package io.reactiveinformer.apiserver.internal.schema;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.math.RoundingMode;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Quantities: their values, and the one form in which the server writes a quantity: without a fraction, and with the largest
 * suffix of the same kind.
 *
 * @see <a href="https://kubernetes.io/docs/reference/kubernetes-api/common-definitions/quantity/">Quantity: canonical form</a>
 */
public final class Quantities {

    private static final Pattern QUANTITY =
            Pattern.compile("([+-]?(?:\\d+\\.?\\d*|\\.\\d+))(?:([KMGTPE]i)|([numkMGTPE]?)|[eE]([+-]?\\d{1,3}))");
    private static final Pattern ALMOST = Pattern.compile("[+-]?\\d*\\.?\\d*[eEinumkKMGTP]*[-+]?\\d*");
    private static final String BINARY = "KMGTPE";
    private static final List<String> DECIMAL = List.of("n", "u", "m", "", "k", "M", "G", "T", "P", "E"); // by three digits each
    private static final BigInteger KIBI = BigInteger.valueOf(1024);
    private static final int NANO = 9;

    private Quantities() {}

    /** What the server says of a text that is no quantity; empty if it is one. */
    public static String problem(String text) {
        return QUANTITY.matcher(text).matches() ? ""
                : !text.isEmpty() && ALMOST.matcher(text).matches() ? "unable to parse quantity's suffix"
                : "quantities must match the regular expression '^([+-]?[0-9.]+)([eEinumkKMGTP]*[-+]?[0-9]*)$'";
    }

    /** The value of a quantity; zero for any other text. */
    public static BigDecimal value(String text) {
        Matcher parts = QUANTITY.matcher(text);
        return parts.matches() ? value(parts) : BigDecimal.ZERO;
    }

    private static BigDecimal value(Matcher parts) {
        var number = new BigDecimal(parts.group(1));
        String binary = parts.group(2);
        if (binary != null) {
            number = number.multiply(new BigDecimal(KIBI.pow(BINARY.indexOf(binary.charAt(0)) + 1)));
        } else {
            number = number.scaleByPowerOfTen(parts.group(4) != null ? Integer.parseInt(parts.group(4))
                    : DECIMAL.indexOf(parts.group(3)) * 3 - NANO);
        }
        return number.setScale(Math.min(NANO, Math.max(0, number.scale())), RoundingMode.UP).stripTrailingZeros();
    }

    /** The canonical form; the text itself if it is no quantity. */
    static String canonical(String text) {
        Matcher parts = QUANTITY.matcher(text);
        if (!parts.matches()) {
            return text;
        }
        BigDecimal number = value(parts);
        return parts.group(4) != null && number.signum() != 0 ? decimal(number, true) : text(number, parts.group(2) != null);
    }

    /** A quantity of a resource, which is rounded up to thousandths; the text itself if there is nothing to round. */
    public static String inThousandths(String text) {
        BigDecimal number = value(text);
        return number.scale() <= 3 ? text : text(number.setScale(3, RoundingMode.UP), false);
    }

    /** The canonical form of an amount, with a suffix such as {@code Mi} if it is {@code binary} and large enough. */
    public static String text(BigDecimal number, boolean binary) {
        return number.signum() == 0 ? "0"
                : binary && number.stripTrailingZeros().scale() <= 0 && number.abs().compareTo(new BigDecimal(KIBI)) >= 0
                ? binary(number.toBigIntegerExact()) : decimal(number.stripTrailingZeros(), false);
    }

    private static String binary(BigInteger number) {
        BigInteger rest = number;
        int power = 0;
        while (power < BINARY.length() && rest.mod(KIBI).signum() == 0) {
            rest = rest.divide(KIBI);
            power++;
        }
        return rest + (power == 0 ? "" : BINARY.charAt(power - 1) + "i");
    }

    private static String decimal(BigDecimal number, boolean exponent) {
        int power = Math.floorDiv(-number.scale(), 3) * 3;
        String digits = number.scaleByPowerOfTen(-power).toBigIntegerExact().toString();
        if (exponent) {
            return digits + (power == 0 ? "" : "e" + power);
        }
        int suffix = Math.min((power + NANO) / 3, DECIMAL.size() - 1);
        return digits + "0".repeat(power - suffix * 3 + NANO) + DECIMAL.get(suffix);
    }
}
