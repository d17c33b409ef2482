package io.reactiveinformer.apiserver.internal.patch;

import io.reactiveinformer.apiserver.internal.schema.Topology;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** The fields of an object, and the object without some of them. */
public final class Fields {

    private Fields() {}

    /** The fields that an apply of {@code tree}, a whole object, owns: of structures only their contents. */
    public static FieldSet of(JsonNode tree, Topology topology) {
        Set<List<String>> found = new HashSet<>();
        collect(List.of(), tree, topology, found);
        return new FieldSet(found);
    }

    private static void collect(List<String> path, JsonNode value, Topology at, Set<List<String>> found) {
        if (value.isObject() && !at.isAtomic()) {
            value.properties().forEach(field -> {
                List<String> inner = FieldSet.below(path, "f:" + field.getKey());
                collect(inner, field.getValue(), at.field(field.getKey()), found);
                boolean isEmpty = field.getValue().isNull() || field.getValue().isObject() && field.getValue().isEmpty();
                if (isEmpty || !at.hasField(field.getKey())) {
                    found.add(inner);
                }
            });
        } else if (value.isArray() && ItemKeys.merges(at)) {
            Map<String, Integer> count = new HashMap<>();
            value.forEach(item -> count.merge(ItemKeys.of(item, at), 1, Integer::sum));
            value.forEach(item -> {
                List<String> inner = FieldSet.below(path, ItemKeys.of(item, at));
                if (count.getOrDefault(ItemKeys.of(item, at), 0) == 1) {
                    collect(inner, item, at.item(), found);
                }
                found.add(inner);
            });
        } else {
            found.add(path);
        }
    }

    /** A copy of the object without these fields. A structure that becomes empty stays. */
    public static ObjectNode without(ObjectNode tree, FieldSet fields, Topology topology) {
        Set<List<String>> above = new HashSet<>();
        for (List<String> path : fields.paths()) {
            for (int i = 0; i < path.size(); i++) {
                above.add(path.subList(0, i));
            }
        }
        return (ObjectNode) rest(List.of(), tree, fields, above, topology);
    }

    /** @param above the paths that have some of {@code fields} below them */
    private static JsonNode rest(List<String> path, JsonNode value, FieldSet fields, Set<List<String>> above, Topology at) {
        if (value.isObject() && !at.isAtomic()) {
            ObjectNode rest = JsonNodeFactory.instance.objectNode();
            value.properties().forEach(field -> {
                List<String> inner = FieldSet.below(path, "f:" + field.getKey());
                if (!fields.contains(inner)) {
                    boolean isPartly = above.contains(inner);
                    rest.set(field.getKey(), isPartly ? rest(inner, field.getValue(), fields,
                            above, at.field(field.getKey())) : field.getValue());
                }
            });
            return rest;
        }
        if (value.isArray() && ItemKeys.merges(at)) {
            ArrayNode rest = JsonNodeFactory.instance.arrayNode();
            value.forEach(item -> {
                List<String> inner = FieldSet.below(path, ItemKeys.of(item, at));
                if (!fields.contains(inner)) {
                    rest.add(above.contains(inner) ? rest(inner, item, fields, above, at.item()) : item);
                }
            });
            return rest;
        }
        return value;
    }
}
