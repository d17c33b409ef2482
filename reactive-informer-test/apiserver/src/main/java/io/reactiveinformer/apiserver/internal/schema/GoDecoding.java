package io.reactiveinformer.apiserver.internal.schema;

import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Count;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * Finds the first value in the JSON of a built-in type that Go cannot read into its structures, with the words of its decoder. A value of
 * the wrong kind does not end the reading, but what a type reads by itself (a quantity, a time) does, so that it is reported first.
 */
public final class GoDecoding {

    private static final Messages MESSAGES = Messages.builtIn();
    private static final Set<String> NUMBERS = Set.of("int32", "int64", "float64");
    private static final Map<String, String> PRINTED = Map.of("bytes", "[]uint8", "Time", "v1.Time", "MicroTime", "v1.MicroTime",
            "Duration", "v1.Duration", "Quantity", "resource.Quantity", "IntOrString", "intstr.IntOrString");

    private static final Map<String, Map<String, String>> OWNERS = new ConcurrentHashMap<>();

    private final Deque<String> path = new ArrayDeque<>();
    private @Nullable String wrong;

    /** Thrown by a type that reads its own JSON. */
    private static final class Unreadable extends RuntimeException {
        private static final long serialVersionUID = 1L;

        Unreadable(String message) {
            super(message, null, false, false);
        }
    }

    private GoDecoding() {}

    /** What the decoder says of the object; empty if it can be read, or if the table does not know the type. */
    public static String problem(String apiVersion, String kind, JsonNode object) {
        String message = apiVersion + "." + kind;
        if (MESSAGES.find(message).isEmpty()) {
            return "";
        }
        var decoding = new GoDecoding();
        try {
            decoding.message(message, object);
            return decoding.wrong == null ? "" : decoding.wrong;
        } catch (Unreadable failure) {
            return String.valueOf(failure.getMessage());
        }
    }

    private void message(String message, JsonNode object) {
        Map<String, Field> fields = MESSAGES.inJson(message);
        for (Map.Entry<String, JsonNode> entry : object.properties()) {
            Field field = fields.get(entry.getKey());
            if (field != null && !entry.getValue().isNull()) {
                String owner = OWNERS.computeIfAbsent(message, any -> owners(message)).getOrDefault(field.name(), message);
                if (!owner.equals(message)) {
                    path.addLast(name(owner));
                }
                path.addLast(field.name());
                String type = FieldRules.of(owner, field.name()).get("go");
                field(field, name(message), type.isEmpty() ? printed(field) : type, entry.getValue());
                path.removeLast();
                if (!owner.equals(message)) {
                    path.removeLast();
                }
            }
        }
    }

    /** The messages that have the fields of inlined parts themselves, by field: such a part names itself in the path. */
    private static Map<String, String> owners(String message) {
        Map<String, String> owners = new HashMap<>();
        MESSAGES.get(message).values().stream().filter(Field::inline).forEach(part -> MESSAGES.inJson(part.type()).keySet()
                .forEach(name -> owners.put(name, owners(part.type()).getOrDefault(name, part.type()))));
        return owners;
    }

    private static String name(String message) {
        return message.substring(message.lastIndexOf('.') + 1);
    }

    private static String printed(Field field) {
        String type = field.type();
        String element = PRINTED.getOrDefault(type, type.substring(type.lastIndexOf('/') + 1));
        return switch (field.count()) {
            case ONE -> element;
            case LIST -> "[]" + element;
            case MAP -> "map[string]" + element;
        };
    }

    private void field(Field field, String struct, String printed, JsonNode value) {
        if (field.count() == Count.LIST) {
            if (!value.isArray()) {
                wrong(struct, value, printed);
            }
            value.valueStream().filter(item -> value.isArray()).forEach(item -> value(field.type(), struct, after(printed, "[]"), item));
        } else if (field.count() == Count.MAP) {
            if (!value.isObject()) {
                wrong(struct, value, printed);
            }
            value.properties().forEach(entry -> value(field.type(), struct, after(printed, "map[string]"), entry.getValue()));
        } else {
            value(field.type(), struct, printed, value);
        }
    }

    private static String after(String printed, String prefix) {
        return printed.startsWith(prefix) ? printed.substring(prefix.length()) : printed;
    }

    private void value(String type, String struct, String printed, JsonNode value) {
        if (value.isNull()) {
            return;
        }
        if (type.equals("string") && !value.isString() || type.equals("bool") && !value.isBoolean()
                || NUMBERS.contains(type) && !fits(type, value)) {
            wrong(struct, value, printed);
        } else if (type.equals("bytes")) {
            bytes(struct, printed, value);
        } else if (type.equals("Quantity")) {
            require(Quantities.problem(value.isString() ? value.asString().trim() : value.toString()));
        } else if (type.equals("IntOrString") && !value.isString() && !fits("int32", value)) {
            throw new Unreadable(mismatch(struct, value, "int32"));
        } else if (type.equals("Time") || type.equals("MicroTime")) {
            time(type, struct, value);
        } else if (type.startsWith("JSONSchemaPropsOr")) {
            if (value.isObject()) {
                message("apiextensions.k8s.io/v1.JSONSchemaProps", value);
            }
        } else if (MESSAGES.find(type).isPresent()) {
            if (value.isObject()) {
                message(type, value);
            } else {
                wrong(struct, value, printed);
            }
        }
    }

    private void wrong(String struct, JsonNode value, String printed) {
        if (wrong == null) {
            wrong = mismatch(struct, value, printed);
        }
    }

    private String mismatch(String struct, JsonNode value, String printed) {
        return "json: cannot unmarshal " + kind(value, printed) + " into Go struct field " + struct + "." + String.join(".", path)
                + " of type " + printed;
    }

    private static String kind(JsonNode value, String printed) {
        return switch (value.getNodeType()) {
            case OBJECT -> "object";
            case ARRAY -> "array";
            case STRING -> "string";
            case BOOLEAN -> "bool";
            default -> printed.startsWith("int") || printed.startsWith("float") ? "number " + value : "number";
        };
    }

    private static boolean fits(String type, JsonNode value) {
        return value.isNumber() && (type.equals("float64") || value.isIntegralNumber()
                && (type.equals("int32") ? value.canConvertToInt() : value.canConvertToLong()));
    }

    private void bytes(String struct, String printed, JsonNode value) {
        if (!value.isString()) {
            wrong(struct, value, printed);
        } else if (wrong == null) {
            int at = Base64Text.illegalAt(value.asString());
            wrong = at < 0 ? null : "illegal base64 data at input byte " + at;
        }
    }

    private void time(String type, String struct, JsonNode value) {
        if (!value.isString()) {
            throw new Unreadable(mismatch(struct, value, "string"));
        }
        if (type.equals("MicroTime")) {
            require(MicroTimes.problem(value.asString()));
            return;
        }
        try {
            OffsetDateTime.parse(value.asString());
        } catch (DateTimeException failure) {
            String text = MicroTimes.quoted(value.asString());
            throw new Unreadable("parsing time \"" + text + "\" as \"2006-01-02T15:04:05Z07:00\": cannot parse \"" + text
                    + "\" as \"2006\"");
        }
    }

    private static void require(String problem) {
        if (!problem.isEmpty()) {
            throw new Unreadable(problem);
        }
    }
}
