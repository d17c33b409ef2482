package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;

/**
 * Checks values for type, required fields, enum, minimum and maximum, with the server's messages. The rest of OpenAPI is not checked. An
 * invalid value may stay: a value that is equal to the one that it replaces is not checked.
 *
 * @see <a
 * href="https://kubernetes.io/docs/tasks/extend-kubernetes/custom-resources/custom-resource-definitions/#validation-ratcheting">
 *     Validation
 *     ratcheting</a>
 */
final class SchemaValidation {

    private static final String INT_OR_STRING = "x-kubernetes-int-or-string";
    private static final JsonNode NOTHING = MissingNode.getInstance();

    private final List<Problem> causes = new ArrayList<>();

    private SchemaValidation() {}

    /** @param old null if there was none */
    static List<Problem> check(JsonNode schema, @Nullable JsonNode old, JsonNode object) {
        var validation = new SchemaValidation();
        validation.check(schema, old == null ? NOTHING : old, object, "");
        return validation.causes;
    }

    /** Checks one field of an object. A missing field is valid. */
    static List<Problem> checkField(JsonNode schema, String name, @Nullable JsonNode old, JsonNode object) {
        var validation = new SchemaValidation();
        if (object.has(name)) {
            validation.check(CustomSchema.field(schema, name), old == null ? NOTHING : old.path(name), object.path(name), name);
        }
        return validation.causes;
    }

    /** @param old missing if there was no corresponding value */
    private void check(JsonNode schema, JsonNode old, JsonNode value, String path) {
        if (value.isNull() && schema.path("nullable").asBoolean(false) || FormerValues.areEqual(schema, old, value)) {
            return;
        }
        String wanted = Json.text(schema, "type");
        String actual = type(value);
        if (!wanted.isEmpty() && !wanted.equals(actual) && !(wanted.equals("number") && actual.equals("integer"))) {
            wrongType(path, wanted, actual);
            return;
        }
        if (schema.path(INT_OR_STRING).asBoolean(false) && !actual.equals("integer") && !actual.equals("string")) {
            wrongType(path, "integer,string", actual);
        }
        checkEnum(schema.path("enum"), value, path);
        if (value.isNumber()) {
            bound(schema, "minimum", "exclusiveMinimum", value, 1, "greater than", path);
            bound(schema, "maximum", "exclusiveMaximum", value, -1, "less than", path);
        }
        for (JsonNode name : value.isObject() ? schema.path("required") : NOTHING) {
            if (!value.has(name.asString())) {
                causes.add(new Problem("FieldValueRequired", "Required value", child(path, name.asString())));
            }
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            check(CustomSchema.field(schema, field.getKey()), old.path(field.getKey()), field.getValue(), child(path, field.getKey()));
        }
        if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                check(schema.path("items"), FormerValues.element(schema, old, value, i), value.path(i), path + "[" + i + "]");
            }
        }
    }

    private void wrongType(String path, String wanted, String actual) {
        String message = path + " in body must be of type " + wanted + ": \"" + actual + "\"";
        causes.add(new Problem("FieldValueTypeInvalid", "Invalid value: \"" + actual + "\": " + message, path));
    }

    private void checkEnum(JsonNode allowed, JsonNode value, String path) {
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
        causes.add(new Problem("FieldValueNotSupported", "Unsupported value: " + value
                + ": supported values: " + String.join(", ", values), path));
    }

    /** @param side the side of the bound on which the value must be */
    private void bound(JsonNode schema, String name, String exclusive, JsonNode value, int side, String words, String path) {
        JsonNode bound = schema.path(name);
        if (!bound.isNumber()) {
            return;
        }
        boolean open = schema.path(exclusive).asBoolean(false);
        int found = number(value).compareTo(number(bound)) * side;
        if (found < 0 || open && found == 0) {
            String message = path + " in body should be " + words + (open ? " " : " or equal to ") + bound;
            causes.add(new Problem("FieldValueInvalid", "Invalid value: " + value + ": " + message, path));
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
