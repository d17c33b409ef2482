package io.reactiveinformer.apiserver.internal.cluster;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.LongNode;

/** Numbers of custom resources. The server reads them as int64 or float64 and writes them anew: {@code 1.0} is returned as {@code 1}. */
final class GoNumbers {

    private static final double EXPONENT_FROM = 1e21;

    private GoNumbers() {}

    static JsonNode normal(JsonNode node) {
        if (!node.isFloatingPointNumber()) {
            return node;
        }
        double value = node.asDouble();
        boolean whole = value == Math.rint(value) && Math.abs(value) < EXPONENT_FROM && Math.abs(value) < Long.MAX_VALUE;
        return whole ? LongNode.valueOf((long) value) : DoubleNode.valueOf(value);
    }
}
