package io.reactiveinformer.apiserver.internal.schema;

import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Count;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.time.DateTimeException;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.DoubleNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * The form in which the server stores objects of built-in types, and the metadata of all: what remains of their JSON after Go has read it
 * into its structures and written it again. Fields stand in the order of the structure and maps in the order of their keys; null is left
 * out, and so is each empty value that Go omits; numbers, quantities and times are written in one way. Unknown fields stay, after the
 * others.
 */
public final class GoForm {

    private static final Messages MESSAGES = Messages.builtIn();
    private static final List<String> OF_EVERY_OBJECT = List.of("kind", "apiVersion");
    private static final double EXPONENT_FROM = 1e21;

    private GoForm() {}

    /** Whether the table knows this type. */
    public static boolean isKnown(String apiVersion, String kind) {
        return MESSAGES.find(apiVersion + "." + kind).isPresent();
    }

    /** A copy in the stored form, of an object of a type that {@link #isKnown}. */
    public static ObjectNode of(String apiVersion, String kind, ObjectNode object) {
        return message(apiVersion + "." + kind, object);
    }

    /** A copy of an object's metadata in the stored form. */
    public static ObjectNode ofMetadata(ObjectNode metadata) {
        return message(Topology.METADATA, metadata);
    }

    /** The fields that Go writes for an empty structure. */
    public static ObjectNode zero(String apiVersion, String kind) {
        ObjectNode zero = JsonNodeFactory.instance.objectNode();
        addZeros(apiVersion + "." + kind, zero);
        return zero;
    }

    /** The value as {@code %+v} of Go prints it: {@code map[spec:map[replicas:1]]}. */
    public static String text(JsonNode value) {
        if (value.isObject()) {
            var sorted = new TreeMap<String, String>();
            value.properties().forEach(field -> sorted.put(field.getKey(), text(field.getValue())));
            return sorted.entrySet().stream().map(field -> field.getKey() + ":" + field.getValue())
                    .collect(Collectors.joining(" ", "map[", "]"));
        }
        if (value.isArray()) {
            return value.valueStream().map(GoForm::text).collect(Collectors.joining(" ", "[", "]"));
        }
        return value.isNull() ? "<nil>" : value.asString();
    }

    private static void addZeros(String message, ObjectNode zero) {
        MESSAGES.find(message).ifPresent(fields -> fields.values().forEach(field -> {
            if (field.inline() && !field.pointer()) {
                addZeros(field.type(), zero);
            } else {
                addZero(field, zero);
                if (zero.get(field.name()) instanceof ObjectNode part) {
                    addZeros(field.type(), part);
                }
            }
        }));
    }

    /** Adds what Go writes for a field that nothing has set, if that is anything. */
    public static void addZero(Field field, ObjectNode object) {
        if (isWrittenAsNull(field)) {
            object.putNull(field.name());
        } else if (!field.pointer() && !field.omitEmpty()) {
            switch (field.type()) {
                case "string" -> object.put(field.name(), "");
                case "bool" -> object.put(field.name(), false);
                case "int32", "int64" -> object.put(field.name(), 0);
                default -> object.putObject(field.name());
            }
        }
    }

    /** A number as Go writes it, in the form in which it is parsed: {@code 1.0} is {@code 1}. */
    public static JsonNode number(double value) {
        boolean whole = value == Math.rint(value) && Math.abs(value) < EXPONENT_FROM && Math.abs(value) < Long.MAX_VALUE;
        return whole ? number((long) value) : DoubleNode.valueOf(value);
    }

    /** The node that a JSON parser makes of the same digits, so that the two are equal. */
    public static JsonNode number(long value) {
        return value == (int) value ? IntNode.valueOf((int) value) : LongNode.valueOf(value);
    }

    private static ObjectNode message(String message, ObjectNode object) {
        ObjectNode form = JsonNodeFactory.instance.objectNode();
        OF_EVERY_OBJECT.stream().filter(name -> object.has(name) && !MESSAGES.inJson(message).containsKey(name))
                .forEach(name -> form.set(name, object.path(name)));
        known(message, object, form);
        object.properties().forEach(field -> {
            if (!form.has(field.getKey()) && !MESSAGES.inJson(message).containsKey(field.getKey())) {
                form.set(field.getKey(), field.getValue());
            }
        });
        return form;
    }

    private static void known(String message, ObjectNode object, ObjectNode form) {
        for (Field field : MESSAGES.get(message).values()) {
            if (field.inline()) {
                known(field.type(), object, form);
            } else if (object.has(field.name())) {
                JsonNode value = value(field, object.path(field.name()));
                if (value.isNull() ? isWrittenAsNull(field) : !isOmitted(field, value)) {
                    form.set(field.name(), value);
                }
            }
        }
    }

    /** Pointers, lists and maps without {@code omitempty}, and times, of which only {@code creationTimestamp} has {@code omitzero}. */
    private static boolean isWrittenAsNull(Field field) {
        boolean isNil = field.pointer() || field.count() != Count.ONE || field.type().equals("bytes");
        return isNil ? !field.omitEmpty() : field.type().endsWith("Time") && !field.name().equals("creationTimestamp");
    }

    /** A struct is never omitted. */
    private static boolean isOmitted(Field field, JsonNode value) {
        return field.omits(value) && (field.count() != Count.ONE || !value.isObject());
    }

    private static JsonNode value(Field field, JsonNode value) {
        UnaryOperator<JsonNode> element = one -> value(field.type(), one);
        if (field.count() == Count.LIST && value.isArray()) {
            return JsonNodeFactory.instance.arrayNode().addAll(value.valueStream().map(element).toList());
        }
        if (field.count() == Count.MAP && value.isObject()) {
            ObjectNode map = JsonNodeFactory.instance.objectNode();
            new TreeSet<>(value.propertyNames()).forEach(key -> map.set(key, element.apply(value.path(key))));
            return map;
        }
        return field.count() == Count.ONE && !value.isNull() ? element.apply(value) : value;
    }

    private static JsonNode value(String type, JsonNode value) {
        String message = type.startsWith("JSONSchemaPropsOr") ? "apiextensions.k8s.io/v1.JSONSchemaProps" : type;
        if ((value.isObject() || value.isNull()) && MESSAGES.find(message).isPresent()) {
            return message(message, value instanceof ObjectNode object ? object : JsonNodeFactory.instance.objectNode());
        }
        return switch (type) {
            case "string", "bytes" -> value.isNull() ? StringNode.valueOf("") : value;
            case "int32", "int64", "float64", "IntOrString" -> value.isFloatingPointNumber() ? number(value.asDouble()) : value;
            case "Quantity" -> value.isNull() ? StringNode.valueOf("0")
                    : value.isString() || value.isNumber() ? StringNode.valueOf(Quantities.canonical(value.asString())) : value;
            case "Time" -> time(value);
            default -> value;
        };
    }

    /** In UTC, without a fraction. */
    private static JsonNode time(JsonNode value) {
        try {
            return StringNode.valueOf(OffsetDateTime.parse(value.asString("")).toInstant().truncatedTo(ChronoUnit.SECONDS).toString());
        } catch (DateTimeException failure) {
            return value; // only a trusted write can have stored it
        }
    }
}
