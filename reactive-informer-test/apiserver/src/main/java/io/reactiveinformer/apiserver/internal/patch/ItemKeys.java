package io.reactiveinformer.apiserver.internal.patch;

import io.reactiveinformer.apiserver.internal.schema.Topology;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The names, in paths, of items of a list that merges: {@code k:{"name":"c"}} from their keys, {@code v:"x"} from their value. */
final class ItemKeys {

    private ItemKeys() {}

    static boolean merges(Topology list) {
        return list.isSet() || !list.keys().isEmpty();
    }

    static String of(JsonNode item, Topology list) {
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
