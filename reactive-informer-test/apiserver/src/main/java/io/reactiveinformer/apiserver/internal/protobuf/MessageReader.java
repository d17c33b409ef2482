package io.reactiveinformer.apiserver.internal.protobuf;

import com.google.protobuf.ByteString;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.schema.GoForm;
import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Map;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Reads messages into the JSON that Go writes for each type. */
final class MessageReader {

    private static final String SCHEMA = "apiextensions.k8s.io/v1.JSONSchemaProps";
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private static final Messages MESSAGES = Messages.builtIn();

    private MessageReader() {}

    /** Adds all fields of a message to {@code object}. */
    static void read(Map<Integer, Field> fields, WireMessage wire, ObjectNode object) {
        fields.values().stream().filter(field -> wire.has(field.number())).forEach(field -> {
            if (field.inline()) {
                wire.messages(field.number()).forEach(part -> read(MESSAGES.get(field.type()), part, object));
            } else {
                read(field, wire, object);
            }
        });
    }

    private static void read(Field field, WireMessage wire, ObjectNode object) {
        switch (field.count()) {
            case ONE -> {
                JsonNode value = value(field.type(), wire, field.number());
                if (!field.omits(value)) {
                    object.set(field.name(), value);
                }
            }
            case LIST -> object.putArray(field.name()).addAll(values(field.type(), wire, field.number()).toList());
            case MAP -> wire.messages(field.number()).forEach(entry ->
                    Json.child(object, field.name()).set(entry.text(1), value(field.type(), entry, 2)));
        }
    }

    private static JsonNode value(String type, WireMessage wire, int field) {
        return values(type, wire, field).reduce(NullNode.instance, (one, next) -> next);
    }

    private static Stream<JsonNode> values(String type, WireMessage wire, int field) {
        return switch (type) {
            case "string" -> wire.texts(field).map(StringNode::valueOf);
            case "bytes" -> wire.bytes(field).map(bytes -> StringNode.valueOf(Base64.getEncoder().encodeToString(bytes.toByteArray())));
            case "bool" -> wire.numbers(field).map(number -> BooleanNode.valueOf(number != 0));
            case "int32", "int64" -> wire.numbers(field).map(number -> GoForm.number((long) number));
            case "float64" -> wire.doubles(field).map(number -> GoForm.number((double) number));
            default -> wire.messages(field).map(message -> message(type, message));
        };
    }

    private static JsonNode message(String type, WireMessage wire) {
        return switch (type) {
            case "Time" -> time(wire, DateTimeFormatter.ISO_INSTANT, 0);
            case "MicroTime" -> time(wire, MICROS, wire.number(2));
            case "Quantity" -> value("string", wire, 1);
            case "IntOrString" -> wire.number(1) != 0 ? StringNode.valueOf(wire.text(3)) : IntNode.valueOf((int) wire.number(2));
            case "FieldsV1", "RawExtension", "JSON" -> json(wire.bytes(1).reduce(ByteString.EMPTY, (one, next) -> next));
            case "ExtraValue" -> Json.array().addAll(values("string", wire, 1).toList());
            case "JSONSchemaPropsOrBool" -> wire.has(2) ? value(SCHEMA, wire, 2) : BooleanNode.valueOf(wire.number(1) != 0);
            case "JSONSchemaPropsOrArray", "JSONSchemaPropsOrStringArray" -> wire.has(1) ? value(SCHEMA, wire, 1)
                    : Json.array().addAll(values(type.endsWith("PropsOrArray") ? SCHEMA : "string", wire, 2).toList());
            default -> {
                ObjectNode object = Json.object();
                read(MESSAGES.get(type), wire, object);
                yield object;
            }
        };
    }

    /** Seconds, then nanoseconds since 1970; nothing for no time. */
    private static JsonNode time(WireMessage wire, DateTimeFormatter format, long nanos) {
        return wire.has(1) || wire.has(2) ? StringNode.valueOf(format.format(Instant.ofEpochSecond(wire.number(1), nanos)))
                : NullNode.instance;
    }

    /** JSON inside protocol buffers. */
    private static JsonNode json(ByteString json) {
        try {
            return json.isEmpty() ? NullNode.instance : Json.read(json.toByteArray());
        } catch (JacksonException failure) {
            throw new ProtobufException("a field that holds JSON does not: " + failure.getOriginalMessage());
        }
    }
}
