package io.reactiveinformer.apiserver.internal.protobuf;

import io.reactiveinformer.internal.protobuf.Messages;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Drops unknown fields of objects of built-in types. Knows the fields that JSON has and protocol buffers have not.
 */
final class KnownFields {

    private static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind");

    /** A type whose JSON form differs from its protocol buffer. */
    private static final String SCHEMA = "apiextensions.k8s.io/v1.JSONSchemaProps";

    private KnownFields() {}

    /** Drops fields, and returns the paths of unknown ones, such as {@code spec.containers[0].foo}. */
    static List<String> prune(String message, ObjectNode object) {
        List<String> pruned = new ArrayList<>();
        prune(message, object, "", pruned);
        return pruned;
    }

    private static void prune(String message, ObjectNode object, String path, List<String> pruned) {
        Map<String, Messages.Field> known = Messages.builtIn().inJson(message);
        for (String name : List.copyOf(object.propertyNames())) {
            String at = path.isEmpty() ? name : path + "." + name;
            Messages.Field field = known.get(name);
            if (field != null) {
                within(field, object.path(name), at, pruned);
            } else if (!OF_EVERY_OBJECT.contains(name)) {
                object.remove(name);
                pruned.add(at);
            }
        }
    }

    private static void within(Messages.Field field, JsonNode value, String path, List<String> pruned) {
        String type = field.type().startsWith("JSONSchemaPropsOr") ? SCHEMA : field.type();
        if (Messages.builtIn().find(type).isEmpty()) {
            return;
        }
        if (field.count() == Messages.Count.ONE && value instanceof ObjectNode one) {
            prune(type, one, path, pruned);
        } else if (field.count() == Messages.Count.MAP) {
            value.properties().forEach(entry -> {
                if (entry.getValue() instanceof ObjectNode element) {
                    prune(type, element, path + "." + entry.getKey(), pruned);
                }
            });
        } else if (field.count() == Messages.Count.LIST) {
            for (int i = 0; i < value.size(); i++) {
                if (value.path(i) instanceof ObjectNode element) {
                    prune(type, element, path + "[" + i + "]", pruned);
                }
            }
        }
    }
}
