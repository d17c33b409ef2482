package io.reactiveinformer.apiserver.internal.protobuf;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Count;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.time.Instant;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.databind.JsonNode;

/**
 * Writes JSON as messages, from which {@link MessageReader} reads the same JSON. As Go does, it writes fields by their numbers and maps by
 * their keys, and empty texts, zeros and times that Go's JSON omits. Go also sends structs that this JSON lacks.
 */
final class MessageWriter {

    private static final String SCHEMA = "apiextensions.k8s.io/v1.JSONSchemaProps";

    private static final byte[] NOTHING = {};

    private final Messages messages;
    private final Map<String, List<Field>> byNumber = new ConcurrentHashMap<>();

    MessageWriter(Messages messages) {
        this.messages = messages;
    }

    byte[] message(String type, JsonNode object) {
        var wire = new WireWriter();
        for (Field field : byNumber.computeIfAbsent(type, message -> List.copyOf(new TreeMap<>(messages.get(message)).values()))) {
            if (field.inline()) {
                wire.bytes(field.number(), message(field.type(), object));
            } else if (object.hasNonNull(field.name())) {
                field(field, object.path(field.name()), wire);
            } else if (field.count() == Count.ONE && field.omitEmpty() && !field.pointer()) {
                empty(field, wire);
            }
        }
        return wire.bytes();
    }

    private static void empty(Field field, WireWriter wire) {
        switch (field.type()) {
            case "string", "Time", "MicroTime" -> wire.bytes(field.number(), NOTHING);
            case "bool", "int32", "int64" -> wire.varint(field.number(), 0);
            default -> { } // bytes, which Go does not send if they are empty, and structs
        }
    }

    private void field(Field field, JsonNode value, WireWriter wire) {
        switch (field.count()) {
            case ONE -> value(field.number(), field.type(), value, wire);
            case LIST -> value.forEach(element -> value(field.number(), field.type(), element, wire));
            case MAP -> new TreeSet<>(value.propertyNames()).forEach(key -> {
                var pair = new WireWriter().text(1, key);
                value(2, field.type(), value.path(key), pair);
                wire.bytes(field.number(), pair.bytes());
            });
        }
    }

    private void value(int number, String type, JsonNode value, WireWriter wire) {
        switch (type) {
            case "string" -> wire.text(number, value.asString(""));
            case "bytes" -> wire.bytes(number, Base64.getDecoder().decode(value.asString("")));
            case "bool" -> wire.varint(number, value.asBoolean(false) ? 1 : 0);
            case "int32", "int64" -> wire.varint(number, value.asLong(0));
            case "float64" -> wire.doubleNumber(number, value.asDouble(0));
            case "Time", "MicroTime" -> wire.bytes(number, time(value));
            case "Quantity" -> wire.bytes(number, new WireWriter().text(1, value.asString("")).bytes());
            case "IntOrString" -> wire.bytes(number, intOrString(value));
            case "FieldsV1", "RawExtension", "JSON" -> wire.bytes(number, new WireWriter().bytes(1, Json.write(value)).bytes());
            case "ExtraValue" -> {
                var texts = new WireWriter();
                value.forEach(text -> texts.text(1, text.asString("")));
                wire.bytes(number, texts.bytes());
            }
            case "JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray" ->
                    wire.bytes(number, schemaOr(type, value));
            default -> wire.bytes(number, message(type, value));
        }
    }

    private static byte[] time(JsonNode value) {
        Instant time = Instant.parse(value.asString(""));
        return new WireWriter().varint(1, time.getEpochSecond()).varint(2, time.getNano()).bytes();
    }

    private static byte[] intOrString(JsonNode value) {
        return value.isNumber()
                ? new WireWriter().varint(1, 0).varint(2, value.asInt()).text(3, "").bytes()
                : new WireWriter().varint(1, 1).varint(2, 0).text(3, value.asString("")).bytes();
    }

    private byte[] schemaOr(String type, JsonNode value) {
        var wire = new WireWriter();
        if (type.equals("JSONSchemaPropsOrBool")) {
            wire.varint(1, value.isBoolean() && !value.asBoolean() ? 0 : 1);
            if (value.isObject()) {
                wire.bytes(2, message(SCHEMA, value));
            }
        } else if (value.isObject()) {
            wire.bytes(1, message(SCHEMA, value));
        } else {
            value.forEach(element -> {
                if (element.isObject()) {
                    wire.bytes(2, message(SCHEMA, element));
                } else {
                    wire.text(2, element.asString(""));
                }
            });
        }
        return wire.bytes();
    }
}
