package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.schema.KnownFields;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** Drops fields that a structural schema does not know, exactly as the real server's algorithm does. */
final class SchemaPruning {

    private SchemaPruning() {}

    /** @return the paths of the dropped fields: first those in the metadata, then the others in order */
    static List<String> prune(JsonNode schema, ObjectNode object) {
        List<String> all = new ArrayList<>();
        KnownFields.pruneMetadata(object.path("metadata"), "metadata", all);
        List<String> fields = new ArrayList<>();
        prune(schema, object, "", false, true, fields);
        fields.stream().sorted().forEach(all::add);
        return all;
    }

    /**
     * @param schema missing if nothing is known
     * @param kept whether the list that contains this element keeps unknown fields
     * @param isObject whether this is a whole object, with the fields that every object has
     */
    private static void prune(
            JsonNode schema, JsonNode value, String path, boolean kept, boolean isObject, List<String> dropped) {
        boolean keeps = kept || schema.path(CustomSchema.PRESERVES).asBoolean(false);
        if (value instanceof ObjectNode object) {
            for (String name : List.copyOf(object.propertyNames())) {
                String at = path.isEmpty() ? name : path + "." + name;
                JsonNode field = CustomSchema.field(schema, name);
                if (isObject && CustomSchema.OF_EVERY_OBJECT.contains(name)) {
                    if (!path.isEmpty() && name.equals("metadata")) {
                        KnownFields.pruneMetadata(object.path(name), at, dropped);
                    }
                } else if (field.isObject()) {
                    prune(field, object.path(name), at, false, isEmbedded(field), dropped);
                } else if (field.isBoolean() && field.asBoolean()) { // additionalProperties: true allows any name, but knows none below
                    prune(MissingNode.getInstance(), object.path(name), at, false, false, dropped);
                } else if (!keeps) {
                    object.remove(name);
                    dropped.add(at);
                }
            }
        } else if (!keeps || schema.has("items")) {
            int i = 0;
            for (JsonNode element : value) {
                prune(schema.path("items"), element, path + "[" + i++ + "]", keeps, isEmbedded(schema.path("items")), dropped);
            }
        }
    }

    private static boolean isEmbedded(JsonNode schema) {
        return schema.path(CustomSchema.EMBEDDED).asBoolean(false);
    }
}
