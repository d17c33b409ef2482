package io.reactiveinformer.apiserver.internal.patch;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** JSON merge patches, RFC 7386: null removes a field, objects are merged, everything else is replaced. */
public final class MergePatch {

    private MergePatch() {}

    /** The result of applying {@code patch} to {@code target}, which is not changed. */
    public static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!patch.isObject()) {
            return patch.deepCopy();
        }
        ObjectNode merged = target instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        patch.properties().forEach(field -> {
            if (field.getValue().isNull()) {
                merged.remove(field.getKey());
            } else {
                merged.set(field.getKey(), apply(merged.path(field.getKey()), field.getValue()));
            }
        });
        return merged;
    }
}
