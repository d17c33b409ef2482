package io.reactiveinformer.resource;

import java.math.BigInteger;
import java.util.Collection;
import java.util.Comparator;
import java.util.Map;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * What a selector requires of one label.
 *
 * @param values the values that the label is compared with: none for {@link Operator#EXISTS} and {@link Operator#ABSENT}, one number for
 *     {@link Operator#GREATER} and {@link Operator#LESS}
 */
record LabelRequirement(String key, Operator operator, SortedSet<String> values) {

    /** The length to which the server limits a value. */
    private static final int LONGEST_VALUE = 63;

    static final Comparator<LabelRequirement> ORDER =
            Comparator.comparing(LabelRequirement::key).thenComparing(LabelRequirement::operator).thenComparing(LabelRequirement::toString);

    enum Operator {
        /** The label has one of the values; {@code =} is this with a single value. */
        IN,
        /** The label has none of the values, or is missing. */
        NOT_IN,
        EXISTS,
        ABSENT,
        /** A number above the value. */
        GREATER,
        /** A number below the value. */
        LESS
    }

    static LabelRequirement of(String key, Operator operator, Collection<String> values) {
        return new LabelRequirement(key, operator, new TreeSet<>(values));
    }

    boolean matches(Map<String, String> labels) {
        String value = labels.get(key);
        return switch (operator) {
            case IN -> value != null && values.contains(value);
            case NOT_IN -> value == null || !values.contains(value);
            case EXISTS -> value != null;
            case ABSENT -> value == null;
            case GREATER -> compare(value) > 0;
            case LESS -> compare(value) < 0;
        };
    }

    /** Compares {@code value} with the number. 0, which matches neither operator, if it is not a number of 64 bits, as on the server. */
    private int compare(@Nullable String value) {
        if (value == null || value.length() > LONGEST_VALUE || !value.matches("[+-]?[0-9]+")) {
            return 0;
        }
        var number = new BigInteger(value);
        return number.bitLength() < Long.SIZE ? number.compareTo(new BigInteger(values.first())) : 0;
    }

    @Override
    public String toString() {
        return switch (operator) {
            case IN -> values.size() == 1 ? key + "=" + values.first() : key + " in (" + String.join(",", values) + ")";
            case NOT_IN -> values.size() == 1 ? key + "!=" + values.first() : key + " notin (" + String.join(",", values) + ")";
            case EXISTS -> key;
            case ABSENT -> "!" + key;
            case GREATER -> key + ">" + values.first();
            case LESS -> key + "<" + values.first();
        };
    }
}
