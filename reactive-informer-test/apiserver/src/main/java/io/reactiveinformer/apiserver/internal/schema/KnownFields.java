package io.reactiveinformer.apiserver.internal.schema;

import io.reactiveinformer.internal.protobuf.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Drops unknown fields of objects of built-in types, and of the metadata of all. Knows the fields that only JSON has. */
public final class KnownFields {

    private static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind");
    /** A type whose JSON form differs from its protocol buffer. */
    private static final String SCHEMA = "apiextensions.k8s.io/v1.JSONSchemaProps";

    private KnownFields() {}

    /** Drops unknown fields of an object, and returns their paths, such as {@code spec.containers[0].foo}; none of a custom type. */
    public static List<String> prune(ObjectNode object) {
        List<String> pruned = new ArrayList<>();
        prune(object.path("apiVersion").asString("") + "." + object.path("kind").asString(""), object, "", pruned);
        return pruned;
    }

    /** Drops unknown fields of the metadata at this path. */
    public static void pruneMetadata(JsonNode metadata, String path, List<String> pruned) {
        prune(Topology.METADATA, metadata, path, pruned);
    }

    private static void prune(String message, JsonNode object, String path, List<String> pruned) {
        if (Messages.builtIn().find(message).isEmpty()) {
            return;
        }
        Map<String, Messages.Field> known = Messages.builtIn().inJson(message);
        for (String name : List.copyOf(object.propertyNames())) {
            String at = path.isEmpty() ? name : path + "." + name;
            Messages.Field field = known.get(name);
            if (field != null) {
                within(field, object.path(name), at, pruned);
            } else if (!OF_EVERY_OBJECT.contains(name) || message.equals(Topology.METADATA)) {
                ((ObjectNode) object).remove(name);
                pruned.add(at);
            }
        }
    }

    private static void within(Messages.Field field, JsonNode value, String path, List<String> pruned) {
        String type = field.type().startsWith("JSONSchemaPropsOr") ? SCHEMA : field.type();
        switch (field.count()) {
            case ONE -> prune(type, value, path, pruned);
            case MAP -> value.properties().forEach(entry -> prune(type, entry.getValue(), path + "." + entry.getKey(), pruned));
            case LIST -> {
                for (int i = 0; i < value.size(); i++) {
                    prune(type, value.path(i), path + "[" + i + "]", pruned);
                }
            }
        }
    }
}
