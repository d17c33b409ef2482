package io.reactiveinformer.apiserver.internal.cluster;

import java.util.stream.IntStream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/** Finds the part of an old object that a part of the new one replaces, and compares them. */
final class FormerValues {

    private static final String LIST_TYPE = "x-kubernetes-list-type";

    private FormerValues() {}

    /**
     * The element that an element of a list replaces: the one with the same keys, or at the same index; none in a set, or in a list that is
     * one value.
     *
     * @return missing if there was none
     */
    static JsonNode element(JsonNode schema, JsonNode old, JsonNode list, int index) {
        return switch (Json.text(schema, LIST_TYPE)) {
            case "map" -> withKeysOf(schema.path("x-kubernetes-list-map-keys"), list.path(index), old);
            case "set", "atomic" -> MissingNode.getInstance();
            default -> old.path(index);
        };
    }

    private static JsonNode withKeysOf(JsonNode keys, JsonNode element, JsonNode old) {
        return old.valueStream().filter(candidate -> keys.valueStream().map(JsonNode::asString)
                .allMatch(key -> candidate.path(key).equals(element.path(key)))).findFirst().orElse(MissingNode.getInstance());
    }

    /** Whether two values are equal. The order of a list with keys is ignored, and numbers are compared by value. */
    static boolean areEqual(JsonNode schema, JsonNode old, JsonNode value) {
        if (old.isNumber() && value.isNumber()) {
            return old.decimalValue().compareTo(value.decimalValue()) == 0;
        }
        if (!value.isContainer() || old.getNodeType() != value.getNodeType() || old.size() != value.size()) {
            return !value.isContainer() && old.equals(value);
        }
        boolean keyed = Json.text(schema, LIST_TYPE).equals("map");
        return value.propertyStream().allMatch(field ->
                areEqual(CustomSchema.field(schema, field.getKey()), old.path(field.getKey()), field.getValue()))
                && IntStream.range(0, value.isArray() ? value.size() : 0).allMatch(i ->
                areEqual(schema.path("items"), keyed ? element(schema, old, value, i) : old.path(i), value.path(i)));
    }
}
