package io.reactiveinformer.apiserver.internal.cluster;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.SerializableString;
import tools.jackson.core.io.CharacterEscapes;
import tools.jackson.core.io.SerializedString;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonWriteFeature;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;

/** JSON as Go's encoder writes it: without spaces, and with {@code <}, {@code >}, {@code &} escaped. */
public final class Json {

    private static final JsonMapper MAPPER = JsonMapper.builder(JsonFactory.builder()
                    .characterEscapes(new GoEscapes())
                    .disable(JsonWriteFeature.WRITE_HEX_UPPER_CASE)
                    .build())
            .build();

    private Json() {}

    /** A new empty object. */
    public static ObjectNode object() {
        return JsonNodeFactory.instance.objectNode();
    }

    /** A new empty array. */
    public static ArrayNode array() {
        return JsonNodeFactory.instance.arrayNode();
    }

    /**
     * Parses JSON.
     *
     * @throws tools.jackson.core.JacksonException if this is not JSON
     */
    public static JsonNode read(byte[] bytes) {
        return MAPPER.readTree(bytes);
    }

    /**
     * Parses JSON.
     *
     * @throws tools.jackson.core.JacksonException if this is not JSON
     */
    public static JsonNode read(String text) {
        return MAPPER.readTree(text);
    }

    /** The node of a text, a number or a flag; null for null. */
    static JsonNode tree(@Nullable Object scalar) {
        return scalar == null ? NullNode.instance : MAPPER.valueToTree(scalar);
    }

    /** The maps, lists and scalars that a node stands for. */
    static Object value(JsonNode node) {
        return MAPPER.treeToValue(node, Object.class);
    }

    /** Writes JSON as Go's encoder does. */
    public static byte[] write(JsonNode node) {
        return MAPPER.writeValueAsBytes(node);
    }

    /** Writes JSON indented by two spaces, as for {@code ?pretty=true}. */
    public static byte[] writeIndented(JsonNode node) {
        return MAPPER.writerWithDefaultPrettyPrinter().writeValueAsBytes(node);
    }

    /** The text in UTF-8. */
    public static byte[] utf8(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    /** The text at a path of object keys; empty if there is none. */
    public static String text(JsonNode node, String... path) {
        JsonNode at = node;
        for (String step : path) {
            at = at.path(step);
        }
        return at.isValueNode() && !at.isNull() ? at.asString() : "";
    }

    /** The object under {@code key}. Creates it if it is missing or not an object. */
    public static ObjectNode child(ObjectNode parent, String key) {
        return parent.get(key) instanceof ObjectNode child ? child : parent.putObject(key);
    }

    private static final class GoEscapes extends CharacterEscapes {
        private static final long serialVersionUID = 1L;

        @Override
        public int[] getEscapeCodesForAscii() {
            int[] codes = standardAsciiEscapesForJSON();
            codes['<'] = ESCAPE_STANDARD;
            codes['>'] = ESCAPE_STANDARD;
            codes['&'] = ESCAPE_STANDARD;
            return codes;
        }

        @Override
        public @Nullable SerializableString getEscapeSequence(int character) {
            return character == 0x2028 || character == 0x2029 ? new SerializedString(String.format("\\u%04x", character)) : null;
        }
    }
}
