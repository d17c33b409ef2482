package io.reactiveinformer.apiserver.internal.protobuf;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnknownFieldSet;
import com.google.protobuf.UnknownFieldSet.Field;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.internal.protobuf.Messages;
import io.reactiveinformer.internal.protobuf.Messages.Count;
import java.time.Instant;
import java.util.Base64;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Writes JSON as messages, from which {@link MessageReader} reads the same JSON. As Go does, it writes fields by their numbers and maps by
 * their keys, and empty texts, zeros and times that Go's JSON omits. Go also sends structs that this JSON lacks.
 */
final class MessageWriter {

    private static final String SCHEMA = "apiextensions.k8s.io/v1.JSONSchemaProps";

    private MessageWriter() {}

    static UnknownFieldSet message(String type, JsonNode object) {
        var message = UnknownFieldSet.newBuilder();
        for (Messages.Field field : Messages.builtIn().get(type).values()) {
            if (field.inline()) {
                message.mergeField(field.number(), WireMessage.message(message(field.type(), object)));
            } else if (object.hasNonNull(field.name())) {
                values(field, object.path(field.name())).forEach(value -> message.mergeField(field.number(), value));
            } else if (field.count() == Count.ONE && field.omitEmpty() && !field.pointer()) {
                switch (field.type()) {
                    case "string", "Time", "MicroTime" -> message.mergeField(field.number(), WireMessage.text(""));
                    case "bool", "int32", "int64" -> message.mergeField(field.number(), WireMessage.varint(0));
                    default -> { } // bytes, which Go does not send if they are empty, and structs
                }
            }
        }
        return message.build();
    }

    private static Stream<Field> values(Messages.Field field, JsonNode value) {
        return switch (field.count()) {
            case ONE -> Stream.of(value(field.type(), value));
            case LIST -> value.valueStream().map(element -> value(field.type(), element));
            case MAP -> value.propertyNames().stream().sorted().map(key ->
                    WireMessage.message(WireMessage.with(WireMessage.text(key), value(field.type(), value.path(key)))));
        };
    }

    private static Field value(String type, JsonNode value) {
        return switch (type) {
            case "string" -> WireMessage.text(value.asString(""));
            case "bytes" -> WireMessage.bytes(ByteString.copyFrom(Base64.getDecoder().decode(value.asString(""))));
            case "bool" -> WireMessage.varint(value.asBoolean(false) ? 1 : 0);
            case "int32", "int64" -> WireMessage.varint(value.asLong(0));
            case "float64" -> WireMessage.fixed(value.asDouble(0));
            default -> WireMessage.message(struct(type, value));
        };
    }

    private static UnknownFieldSet struct(String type, JsonNode value) {
        return switch (type) {
            case "Time", "MicroTime" -> {
                Instant time = Instant.parse(value.asString(""));
                yield WireMessage.with(WireMessage.varint(time.getEpochSecond()), WireMessage.varint(time.getNano()));
            }
            case "Quantity" -> WireMessage.with(WireMessage.text(value.asString("")));
            case "IntOrString" -> WireMessage.with(WireMessage.varint(value.isNumber() ? 0 : 1), WireMessage.varint(value.asLong(0)),
                    WireMessage.text(value.isNumber() ? "" : value.asString("")));
            case "FieldsV1", "RawExtension", "JSON" -> WireMessage.with(WireMessage.bytes(ByteString.copyFrom(Json.write(value))));
            case "ExtraValue" -> UnknownFieldSet.newBuilder().addField(1, listed("string", value)).build();
            case "JSONSchemaPropsOrBool" -> value.isObject()
                    ? WireMessage.with(WireMessage.varint(1), WireMessage.message(message(SCHEMA, value)))
                    : WireMessage.with(WireMessage.varint(value.isBoolean() && !value.asBoolean() ? 0 : 1));
            case "JSONSchemaPropsOrArray", "JSONSchemaPropsOrStringArray" -> value.isObject()
                    ? WireMessage.with(WireMessage.message(message(SCHEMA, value)))
                    : UnknownFieldSet.newBuilder().addField(2, listed(value.path(0).isObject() ? SCHEMA : "string", value)).build();
            default -> message(type, value);
        };
    }

    private static Field listed(String type, JsonNode values) {
        Field.Builder list = Field.newBuilder();
        values.forEach(value -> list.mergeFrom(value(type, value)));
        return list.build();
    }
}
