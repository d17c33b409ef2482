package io.reactiveinformer.controller;

import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Compares JSON as the server stores it: a number is its value, so that {@code 3.0} is {@code 3}, and a null in an object is no property.
 *
 * <p>The server reads a number without point and exponent as an integer of 64 bits, if it fits, and any other as a double.
 */
final class StoredForm {

    private StoredForm() {}

    /** Null is a property that is not there. */
    static boolean isSame(@Nullable JsonNode one, @Nullable JsonNode other) {
        if (one == null || other == null || one.isNull() || other.isNull()) {
            return isNothing(one) && isNothing(other);
        } else if (one.isNumber() && other.isNumber()) {
            return one.isIntegralNumber() && one.canConvertToLong() && other.isIntegralNumber() && other.canConvertToLong()
                    ? one.longValue() == other.longValue() : one.doubleValue() == other.doubleValue();
        } else if (one.isObject() && other.isObject()) {
            return one.propertyNames().stream().allMatch(name -> isSame(one.get(name), other.get(name)))
                    && other.propertyNames().stream().allMatch(name -> one.has(name) || isNothing(other.get(name)));
        } else if (one.isArray() && other.isArray()) {
            boolean same = one.size() == other.size();
            for (int i = 0; same && i < one.size(); i++) {
                same = isSame(one.get(i), other.get(i));
            }
            return same;
        }
        return one.equals(other);
    }

    private static boolean isNothing(@Nullable JsonNode value) {
        return value == null || value.isNull();
    }
}
