package io.reactiveinformer.apiserver.internal.cluster;

import com.google.re2j.Pattern;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Checks values for type, required fields, enum, bounds, sizes, pattern and unique items, with the server's messages. Formats and
 * combined schemas ({@code oneOf} and others) are not checked. An invalid value may stay: a value that is equal to the one that it
 * replaces is not checked.
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
            checkEnum(schema.path("enum"), value, path);
            return;
        }
        if (schema.path(INT_OR_STRING).asBoolean(false) && !actual.equals("integer") && !actual.equals("string")) {
            wrongType(path, "integer,string", actual);
        }
        checkEnum(schema.path("enum"), value, path);
        if (value.isNumber()) {
            bound(schema, "minimum", "exclusiveMinimum", value, 1, "greater than", path);
            bound(schema, "maximum", "exclusiveMaximum", value, -1, "less than", path);
            JsonNode step = schema.path("multipleOf");
            if (step.isNumber() && value.decimalValue().remainder(step.decimalValue()).signum() != 0) {
                invalid(path, value, "be a multiple of " + step);
            }
        } else if (value.isString() || value.isContainer()) {
            sizes(schema, value, path);
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
            duplicates(schema, value, path);
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
        if (!allowed.isEmpty() && !value.isNull() && allowed.valueStream().noneMatch(value::equals)) {
            String values = allowed.valueStream().map(one -> one.isString() ? one.toString() : "\"" + one + "\"")
                    .collect(Collectors.joining(", "));
            causes.add(new Problem("FieldValueNotSupported", "Unsupported value: " + value + ": supported values: " + values, path));
        }
    }

    /** @param side the side of the bound on which the value must be */
    private void bound(JsonNode schema, String name, String exclusive, JsonNode value, int side, String words, String path) {
        JsonNode bound = schema.path(name);
        if (!bound.isNumber()) {
            return;
        }
        boolean open = schema.path(exclusive).asBoolean(false);
        int found = value.decimalValue().compareTo(bound.decimalValue()) * side;
        if (found < 0 || open && found == 0) {
            invalid(path, value, "be " + words + (open ? " " : " or equal to ") + bound);
        }
    }

    private void invalid(String path, Object value, String wanted) {
        String message = path + " in body should " + wanted;
        causes.add(new Problem("FieldValueInvalid", "Invalid value: " + value + ": " + message, path));
    }

    /** Checks a text for length and pattern, and a list or an object for the number of its parts. */
    private void sizes(JsonNode schema, JsonNode value, String path) {
        String text = value.asString("");
        boolean isText = value.isString();
        String parts = isText ? "Length" : value.isArray() ? "Items" : "Properties";
        int size = isText ? text.codePointCount(0, text.length()) : value.size();
        int most = schema.path("max" + parts).asInt(Integer.MAX_VALUE);
        int least = schema.path("min" + parts).asInt(0);
        if (size > most) {
            causes.add(new Problem(isText ? "FieldValueTooLong" : "FieldValueTooMany", (isText ? "Too long: may not be more than "
                    + most + " byte" : "Too many: " + size + ": must have at most " + most + " item") + (most == 1 ? "" : "s"), path));
        } else if (size < least) {
            invalid(path, isText ? value : size, isText ? "be at least " + least + " chars long"
                    : "have at least " + least + " " + parts.toLowerCase(Locale.ROOT));
        } else if (isText && schema.has("pattern") && !Pattern.compile(Json.text(schema, "pattern")).matcher(text).find()) {
            invalid(path, value, "match '" + Json.text(schema, "pattern") + "'");
        }
    }

    /** Checks a set for equal items, and a map for equal keys. */
    private void duplicates(JsonNode schema, JsonNode list, String path) {
        JsonNode names = schema.path("x-kubernetes-list-map-keys");
        String type = Json.text(schema, "x-kubernetes-list-type");
        Map<JsonNode, Integer> seen = new HashMap<>();
        for (int i = 0; i < list.size() && (type.equals("set") || type.equals("map")); i++) {
            JsonNode item = list.path(i);
            ObjectNode keys = Json.object();
            names.valueStream().map(JsonNode::asString).filter(item::has).forEach(name -> keys.set(name, item.path(name)));
            JsonNode key = type.equals("set") ? item : keys;
            if (seen.merge(key, 1, Integer::sum) == 2) {
                causes.add(new Problem("FieldValueDuplicate", "Duplicate value: " + key, path + "[" + i + "]"));
            }
        }
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
            case NUMBER -> value.decimalValue().stripTrailingZeros().scale() <= 0 ? "integer" : "number";
            default -> "null";
        };
    }
}
