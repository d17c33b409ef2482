package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.schema.GoForm;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/** Drops fields that a structural schema does not know, exactly as the real server's algorithm does. */
final class SchemaPruning {

    private final List<String> dropped = new ArrayList<>();

    private SchemaPruning() {}

    /** @return the paths of the dropped fields: first those in the metadata, then the others in order */
    static List<String> prune(JsonNode schema, ObjectNode object) {
        var metadata = new SchemaPruning();
        metadata.pruneMetadata(object.path("metadata"), "metadata");
        var fields = new SchemaPruning();
        fields.prune(schema, object, "", false, true);
        List<String> all = metadata.dropped;
        fields.dropped.stream().sorted().forEach(all::add);
        return all;
    }

    /**
     * @param schema missing if nothing is known
     * @param kept whether the list that contains this element keeps unknown fields
     * @param isObject whether this is a whole object, with the fields that every object has
     */
    private void prune(JsonNode schema, JsonNode value, String path, boolean kept, boolean isObject) {
        boolean keeps = kept || schema.path(CustomSchema.PRESERVES).asBoolean(false);
        if (value instanceof ObjectNode object) {
            for (String name : List.copyOf(object.propertyNames())) {
                String at = path.isEmpty() ? name : path + "." + name;
                JsonNode field = CustomSchema.field(schema, name);
                if (isObject && CustomSchema.OF_EVERY_OBJECT.contains(name)) {
                    if (!path.isEmpty() && name.equals("metadata")) {
                        pruneMetadata(object.path(name), at);
                    }
                } else if (field.isObject()) {
                    prune(field, object.path(name), at, false, isEmbedded(field));
                } else if (field.isBoolean() && field.asBoolean()) { // additionalProperties: true allows any name, but knows none below
                    prune(MissingNode.getInstance(), object.path(name), at, false, false);
                } else if (!keeps) {
                    object.remove(name);
                    dropped.add(at);
                }
            }
        } else if (!keeps || schema.has("items")) {
            int i = 0;
            for (JsonNode element : value) {
                prune(schema.path("items"), element, path + "[" + i++ + "]", keeps, isEmbedded(schema.path("items")));
            }
        }
    }

    private static boolean isEmbedded(JsonNode schema) {
        return schema.path(CustomSchema.EMBEDDED).asBoolean(false);
    }

    private void pruneMetadata(JsonNode value, String path) {
        if (value instanceof ObjectNode metadata) {
            retain(metadata, GoForm.fields("ObjectMeta"), path);
            int i = 0;
            for (JsonNode owner : metadata.path("ownerReferences")) {
                if (owner instanceof ObjectNode reference) {
                    retain(reference, GoForm.fields("OwnerReference"), path + ".ownerReferences[" + i++ + "]");
                }
            }
        }
    }

    private void retain(ObjectNode object, Set<String> known, String path) {
        for (String name : List.copyOf(object.propertyNames())) {
            if (!known.contains(name)) {
                object.remove(name);
                dropped.add(path + "." + name);
            }
        }
    }
}
