package io.reactiveinformer.apiserver.internal.patch;

import io.reactiveinformer.apiserver.internal.schema.Topology;
import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * The parts of a value that merges, by their steps in a path: {@code f:spec} for a field; for an item of a list {@code k:{"name":"c"}} from
 * its keys, or {@code v:"x"} from its value.
 */
final class Parts {

    private Parts() {}

    /** Whether the value merges part by part, rather than as a whole. */
    static boolean merges(JsonNode value, Topology topology) {
        return value.isObject() ? !topology.isAtomic() : value.isArray() && mergesItems(topology);
    }

    static boolean mergesItems(Topology list) {
        return list.isSet() || !list.keys().isEmpty();
    }

    /** The parts of an object or list, in its order. Duplicates in a list together are one part. */
    static Map<String, JsonNode> of(JsonNode value, Topology topology) {
        Map<String, JsonNode> parts = new LinkedHashMap<>();
        value.properties().forEach(field -> parts.put("f:" + field.getKey(), field.getValue()));
        (value.isArray() ? value : JsonNodeFactory.instance.arrayNode()).forEach(item -> parts.merge(
                item(item, topology), item, (one, other) -> JsonNodeFactory.instance.arrayNode().add(one).add(other)));
        return parts;
    }

    /** The strategy of the part after this step. */
    static Topology topology(Topology whole, String step) {
        return step.startsWith("f:") ? whole.field(step.substring(2)) : whole.item();
    }

    /** The step to an item of a list. */
    static String item(JsonNode item, Topology list) {
        if (list.keys().isEmpty()) {
            return "v:" + item;
        }
        ObjectNode key = JsonNodeFactory.instance.objectNode();
        list.keys().forEach(field -> {
            JsonNode value = item.has(field) ? item.path(field) : list.defaultOf(field);
            if (!value.isMissingNode()) {
                key.set(field, value);
            }
        });
        return "k:" + key;
    }
}
