package io.reactiveinformer.apiserver.internal.patch;

import io.reactiveinformer.apiserver.internal.schema.Topology;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
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
        if (!Parts.merges(value, at)) {
            found.add(path);
            return;
        }
        Parts.of(value, at).forEach((step, part) -> {
            List<String> inner = FieldSet.below(path, step);
            collect(inner, part, Parts.topology(at, step), found);
            if (part.isNull() || part.isObject() && part.isEmpty() || value.isArray() || !at.hasField(step.substring(2))) {
                found.add(inner);
            }
        });
    }

    /** A copy of the object without these fields. A structure that becomes empty stays. */
    public static ObjectNode without(ObjectNode tree, FieldSet fields, Topology topology) {
        Set<List<String>> above = new HashSet<>();
        fields.paths().forEach(path -> above.addAll(FieldSet.above(path)));
        return (ObjectNode) rest(List.of(), tree, fields, above, topology);
    }

    /** @param above the paths that have some of {@code fields} below them */
    private static JsonNode rest(List<String> path, JsonNode value, FieldSet fields, Set<List<String>> above, Topology at) {
        if (!Parts.merges(value, at)) {
            return value;
        }
        if (value.isArray()) {
            ArrayNode rest = JsonNodeFactory.instance.arrayNode();
            value.forEach(item -> part(FieldSet.below(path, Parts.item(item, at)), item, fields, above, at.item()).ifPresent(rest::add));
            return rest;
        }
        ObjectNode rest = JsonNodeFactory.instance.objectNode();
        value.properties().forEach(field -> part(FieldSet.below(path, "f:" + field.getKey()), field.getValue(), fields, above,
                at.field(field.getKey())).ifPresent(left -> rest.set(field.getKey(), left)));
        return rest;
    }

    private static Optional<JsonNode> part(List<String> path, JsonNode value, FieldSet fields, Set<List<String>> above, Topology at) {
        return fields.contains(path) ? Optional.empty() : Optional.of(above.contains(path) ? rest(path, value, fields, above, at) : value);
    }
}
