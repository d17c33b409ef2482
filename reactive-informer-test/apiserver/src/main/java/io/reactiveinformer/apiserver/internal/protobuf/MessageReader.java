package io.reactiveinformer.apiserver.internal.protobuf;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.schema.GoForm;
import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Field;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.Base64;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.BooleanNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.LongNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/** Reads messages into the JSON that Go writes for each type. */
final class MessageReader {

    private static final String SCHEMA = "apiextensions.k8s.io/v1.JSONSchemaProps";
    private static final DateTimeFormatter MICROS = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ss.SSSSSS'Z'").withZone(ZoneOffset.UTC);

    private final Messages messages;

    MessageReader(Messages messages) {
        this.messages = messages;
    }

    /** Adds all fields of a message to {@code object}. */
    void read(Map<Integer, Field> fields, WireReader wire, ObjectNode object) {
        while (wire.hasMore()) {
            Field field = fields.get(wire.field());
            if (field == null) {
                wire.skip();
            } else if (field.inline()) {
                read(messages.get(field.type()), wire.message(), object);
            } else {
                read(field, wire, object);
            }
        }
    }

    private void read(Field field, WireReader wire, ObjectNode object) {
        switch (field.count()) {
            case ONE -> {
                JsonNode value = value(field.type(), wire);
                if (!field.omits(value)) {
                    object.set(field.name(), value);
                }
            }
            case LIST -> {
                ArrayNode list = object.get(field.name()) instanceof ArrayNode begun ? begun : object.putArray(field.name());
                list.add(value(field.type(), wire));
            }
            case MAP -> entry(field.type(), wire.message(), Json.child(object, field.name()));
        }
    }

    private void entry(String type, WireReader wire, ObjectNode map) {
        String key = "";
        JsonNode value = NullNode.instance;
        while (wire.hasMore()) {
            switch (wire.field()) {
                case 1 -> key = wire.text();
                case 2 -> value = value(type, wire);
                default -> wire.skip();
            }
        }
        map.set(key, value);
    }

    private JsonNode value(String type, WireReader wire) {
        return switch (type) {
            case "string" -> StringNode.valueOf(wire.text());
            case "bytes" -> StringNode.valueOf(Base64.getEncoder().encodeToString(wire.bytes()));
            case "bool" -> BooleanNode.valueOf(wire.varint() != 0);
            case "int32", "int64" -> number(wire.varint());
            case "float64" -> GoForm.number(wire.doubleNumber());
            case "Time" -> time(wire.message(), DateTimeFormatter.ISO_INSTANT, 0);
            case "MicroTime" -> time(wire.message(), MICROS, 1);
            case "Quantity" -> first(texts(wire.message()));
            case "IntOrString" -> intOrString(wire.message());
            case "FieldsV1", "RawExtension", "JSON" -> json(wire.message());
            case "ExtraValue" -> texts(wire.message());
            case "JSONSchemaPropsOrArray", "JSONSchemaPropsOrBool", "JSONSchemaPropsOrStringArray" -> schemaOr(type, wire.message());
            default -> {
                ObjectNode object = Json.object();
                read(messages.get(type), wire.message(), object);
                yield object;
            }
        };
    }

    /** The node that a JSON parser makes of the same digits, so that the two are equal. */
    private static JsonNode number(long value) {
        return value == (int) value ? IntNode.valueOf((int) value) : LongNode.valueOf(value);
    }

    /** Seconds, then nanoseconds since 1970; nothing for no time. */
    private static JsonNode time(WireReader wire, DateTimeFormatter format, int nanos) {
        long seconds = 0;
        long fraction = 0;
        boolean given = false;
        while (wire.hasMore()) {
            given = true;
            switch (wire.field()) {
                case 1 -> seconds = wire.varint();
                case 2 -> fraction = nanos * wire.varint();
                default -> wire.skip();
            }
        }
        return given ? StringNode.valueOf(format.format(Instant.ofEpochSecond(seconds, fraction))) : NullNode.instance;
    }

    private static ArrayNode texts(WireReader wire) {
        ArrayNode texts = Json.array();
        while (wire.hasMore()) {
            if (wire.field() == 1) {
                texts.add(wire.text());
            } else {
                wire.skip();
            }
        }
        return texts;
    }

    private static JsonNode first(ArrayNode texts) {
        return texts.isEmpty() ? NullNode.instance : texts.get(0);
    }

    private static JsonNode intOrString(WireReader wire) {
        boolean text = false;
        int number = 0;
        String string = "";
        while (wire.hasMore()) {
            switch (wire.field()) {
                case 1 -> text = wire.varint() != 0;
                case 2 -> number = (int) wire.varint();
                case 3 -> string = wire.text();
                default -> wire.skip();
            }
        }
        return text ? StringNode.valueOf(string) : IntNode.valueOf(number);
    }

    /** JSON inside protocol buffers. */
    private static JsonNode json(WireReader wire) {
        byte[] json = {};
        while (wire.hasMore()) {
            if (wire.field() == 1) {
                json = wire.bytes();
            } else {
                wire.skip();
            }
        }
        try {
            return json.length == 0 ? NullNode.instance : Json.read(json);
        } catch (JacksonException failure) {
            throw new ProtobufException("a field that holds JSON does not: " + failure.getOriginalMessage());
        }
    }

    /** A schema, or the alternative that an older form allows: a list of schemas, a boolean, a list of names. */
    private JsonNode schemaOr(String type, WireReader wire) {
        JsonNode schema = NullNode.instance;
        ArrayNode list = Json.array();
        boolean allowed = false;
        boolean orBoolean = type.equals("JSONSchemaPropsOrBool");
        while (wire.hasMore()) {
            int field = wire.field();
            if (field == 1 && orBoolean) {
                allowed = wire.varint() != 0;
            } else if (field == 1 || orBoolean) {
                schema = value(SCHEMA, wire);
            } else {
                list.add(type.equals("JSONSchemaPropsOrArray") ? value(SCHEMA, wire) : StringNode.valueOf(wire.text()));
            }
        }
        return !schema.isNull() ? schema : orBoolean ? BooleanNode.valueOf(allowed) : list;
    }
}
