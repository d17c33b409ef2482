package io.reactiveinformer.test.cluster;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * What a definition's {@code openAPIV3Schema} says of an object: fields that it does not name are dropped, defaults are filled in, and values are checked for type, required
 * fields, enum, minimum and maximum, in the server's words. Of the rest of OpenAPI nothing is looked at. Without a schema all is well.
 *
 * @see <a href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#field-pruning">Field pruning</a>
 */
public final class CustomSchema {

    private static final Set<String> OF_EVERY_OBJECT = Set.of("apiVersion", "kind", "metadata");
    private static final String PRESERVES = "x-kubernetes-preserve-unknown-fields";
    private static final String EMBEDDED = "x-kubernetes-embedded-resource";
    private static final String INT_OR_STRING = "x-kubernetes-int-or-string";

    private CustomSchema() {}

    private static JsonNode of(ResourceDefinition type, JsonNode tree) {
        String apiVersion = Json.text(tree, "apiVersion");
        CustomType.Version version = type.custom(apiVersion.substring(apiVersion.indexOf('/') + 1));
        return version == null ? Json.object() : version.schema();
    }

    /** Drops the fields that the schema does not know, and returns where they were, such as {@code spec.foo}. */
    public static List<String> prune(ResourceDefinition type, ObjectNode tree) {
        List<String> pruned = new ArrayList<>();
        JsonNode schema = of(type, tree);
        if (!schema.isEmpty()) {
            prune(schema, tree, true, "", pruned);
        }
        return pruned;
    }

    private static void prune(JsonNode schema, JsonNode value, boolean isObject, String path, List<String> pruned) {
        if (value instanceof ObjectNode object) {
            List.copyOf(object.propertyNames()).forEach(name -> {
                JsonNode field = field(schema, name);
                String at = path.isEmpty() ? name : path + "." + name;
                if (isObject && OF_EVERY_OBJECT.contains(name)) {
                    return;
                }
                if (field.isMissingNode() && !schema.path(PRESERVES).asBoolean(false)) {
                    object.remove(name);
                    pruned.add(at);
                } else {
                    prune(field, object.path(name), field.path(EMBEDDED).asBoolean(false), at, pruned);
                }
            });
        } else {
            int i = 0;
            for (JsonNode element : value) {
                JsonNode items = schema.has("items") || !schema.path(PRESERVES).asBoolean(false) ? schema.path("items") : schema;
                prune(items, element, items.path(EMBEDDED).asBoolean(false), path + "[" + i++ + "]", pruned);
            }
        }
    }

    /** As the server reads an object: a null that may be none counts as nothing, and what is missing and has a default gets it. */
    static void settle(ResourceDefinition type, ObjectNode tree) {
        settle(of(type, tree), tree, true);
    }

    private static void settle(JsonNode schema, JsonNode value, boolean isObject) {
        if (value instanceof ObjectNode object) {
            List.copyOf(object.propertyNames()).stream()
                    .filter(name -> object.path(name).isNull() && isNamed(schema, name) && !field(schema, name).path("nullable").asBoolean(false))
                    .forEach(object::remove);
            for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
                JsonNode otherwise = property.getValue().get("default");
                if (otherwise != null && !object.has(property.getKey())) {
                    object.set(property.getKey(), otherwise.deepCopy());
                }
            }
            for (Map.Entry<String, JsonNode> property : object.properties()) {
                if (!isObject || !OF_EVERY_OBJECT.contains(property.getKey())) {
                    JsonNode field = field(schema, property.getKey());
                    settle(field, property.getValue(), field.path(EMBEDDED).asBoolean(false));
                }
            }
        } else {
            for (JsonNode element : value) {
                settle(schema.path("items"), element, schema.path("items").path(EMBEDDED).asBoolean(false));
            }
        }
    }

    /** Whether the schema says what the field is, not only that there may be one. */
    private static boolean isNamed(JsonNode schema, String name) {
        return schema.path("properties").has(name) || schema.path("additionalProperties").isObject();
    }

    /** The schema of a field; missing if there may be none of this name. What is kept though nothing is known of it may be anything. */
    private static JsonNode field(JsonNode schema, String name) {
        JsonNode property = schema.path("properties").path(name);
        JsonNode others = schema.path("additionalProperties");
        boolean anything = others.isBoolean() && others.asBoolean() || schema.path(PRESERVES).asBoolean(false);
        return !property.isMissingNode() ? property : others.isObject() ? others : anything ? Json.object().put(PRESERVES, true) : property;
    }

    /** @throws ApiFailure 422 if something in it may not be as it is */
    static void check(ResourceDefinition type, JsonNode tree) {
        List<ApiFailure.Cause> causes = new ArrayList<>();
        check(of(type, tree), tree, "", causes);
        if (!causes.isEmpty()) {
            throw ApiFailure.invalid(type.group(), type.kind(), Json.text(tree, "metadata", "name"), causes);
        }
    }

    private static void check(JsonNode schema, JsonNode value, String path, List<ApiFailure.Cause> causes) {
        String wanted = Json.text(schema, "type");
        String actual = type(value);
        if (value.isNull() && schema.path("nullable").asBoolean(false)) {
            return;
        }
        boolean fits = wanted.isEmpty() || wanted.equals(actual) || wanted.equals("number") && actual.equals("integer");
        if (!fits) {
            String message = path + " in body must be of type " + wanted + ": \"" + actual + "\"";
            causes.add(new ApiFailure.Cause("FieldValueTypeInvalid", "Invalid value: \"" + actual + "\": " + message, path));
            return;
        }
        if (schema.path(INT_OR_STRING).asBoolean(false) && !actual.equals("integer") && !actual.equals("string")) {
            String message = path + " in body must be of type integer,string: \"" + actual + "\"";
            causes.add(new ApiFailure.Cause("FieldValueTypeInvalid", "Invalid value: \"" + actual + "\": " + message, path));
        }
        checkEnum(schema.path("enum"), value, path, causes);
        checkBounds(schema, value, path, causes);
        for (JsonNode name : value.isObject() ? schema.path("required") : Json.array()) {
            if (!value.has(name.asString())) {
                causes.add(new ApiFailure.Cause("FieldValueRequired", "Required value", child(path, name.asString())));
            }
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            check(field(schema, field.getKey()), field.getValue(), child(path, field.getKey()), causes);
        }
        if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                check(schema.path("items"), value.path(i), path + "[" + i + "]", causes);
            }
        }
    }

    private static void checkEnum(JsonNode allowed, JsonNode value, String path, List<ApiFailure.Cause> causes) {
        if (allowed.isEmpty() || value.isNull()) {
            return;
        }
        List<String> values = new ArrayList<>();
        for (JsonNode one : allowed) {
            if (one.equals(value)) {
                return;
            }
            values.add(one.isString() ? one.toString() : "\"" + one + "\"");
        }
        causes.add(new ApiFailure.Cause("FieldValueNotSupported", "Unsupported value: " + value + ": supported values: " + String.join(", ", values), path));
    }

    private static void checkBounds(JsonNode schema, JsonNode value, String path, List<ApiFailure.Cause> causes) {
        if (!value.isNumber()) {
            return;
        }
        bound(schema, "minimum", "exclusiveMinimum", value, 1, "greater than", path, causes);
        bound(schema, "maximum", "exclusiveMaximum", value, -1, "less than", path, causes);
    }

    /** @param side of the bound on which the value has to be */
    private static void bound(
            JsonNode schema, String name, String exclusive, JsonNode value, int side, String words, String path, List<ApiFailure.Cause> causes) {
        JsonNode bound = schema.path(name);
        if (!bound.isNumber()) {
            return;
        }
        boolean open = schema.path(exclusive).asBoolean(false);
        int found = number(value).compareTo(number(bound)) * side;
        if (found < 0 || open && found == 0) {
            String message = path + " in body should be " + words + (open ? " " : " or equal to ") + bound;
            causes.add(new ApiFailure.Cause("FieldValueInvalid", "Invalid value: " + value + ": " + message, path));
        }
    }

    private static BigDecimal number(JsonNode value) {
        return value.decimalValue();
    }

    private static String child(String path, String name) {
        return path.isEmpty() ? name : path + "." + name;
    }

    private static String type(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING -> "string";
            case BOOLEAN -> "boolean";
            case NUMBER -> number(value).stripTrailingZeros().scale() <= 0 ? "integer" : "number";
            default -> "null";
        };
    }
}
