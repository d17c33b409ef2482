package io.reactiveinformer.apiserver.internal.cluster;

import java.math.BigInteger;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Reads YAML, and so JSON too, as trees, one for each document; and writes it. */
public final class YamlText {

    private static final Pattern PLAIN = Pattern.compile("\\.|[A-Za-z_/]([A-Za-z0-9_./-]|:(?=[A-Za-z0-9_./-])| (?=[A-Za-z0-9_./-]))*");

    /** Words that YAML 1.1 reads as a boolean or as null. */
    private static final Pattern WORDS = Pattern.compile("(?i)y|n|yes|no|on|off|true|false|null");

    /** Values that aliases may make of a text, as in the real server; a longer text may have one for each character. */
    private static final int MOST_REPEATED = 400_000;

    private int remaining; // values that may still be made

    private YamlText(int remaining) {
        this.remaining = remaining;
    }

    /**
     * Reads all documents of a text.
     *
     * @throws YamlEngineException if this is not YAML, or repeats too much by aliases
     */
    public static List<JsonNode> read(String text) {
        List<JsonNode> documents = new ArrayList<>();
        var trees = new YamlText(Math.max(MOST_REPEATED, text.length()));
        try {
            for (Object document : new Load(LoadSettings.builder().build()).loadAllFromString(text)) {
                if (document != null) {
                    documents.add(trees.tree(document));
                }
            }
        } catch (StackOverflowError nested) {
            throw new YamlEngineException("exceeded max depth");
        }
        return documents;
    }

    /**
     * Writes one document as the real server does: keys in order, lists not indented, text in quotes where it could be read as another
     * type.
     */
    public static String write(JsonNode tree) {
        var text = new StringBuilder();
        write(tree, "", text);
        return text.charAt(0) == '\n' ? text.substring(1) + "\n" : text.toString().stripLeading() + "\n";
    }

    /** Writes the value after a key or a dash: on the same line, or on lines of its own. */
    private static void write(JsonNode value, String indent, StringBuilder text) {
        if (value.isObject() && !value.isEmpty()) {
            new TreeMap<>(fields(value)).forEach((key, field) -> {
                text.append('\n').append(indent).append(scalar(key)).append(':');
                write(field, field.isArray() ? indent : indent + "  ", text);
            });
        } else if (value.isArray() && !value.isEmpty()) {
            for (JsonNode item : value) {
                var lines = new StringBuilder();
                write(item, indent + "  ", lines);
                boolean block = lines.charAt(0) == '\n';
                text.append('\n').append(indent).append('-').append(block ? " " + lines.substring(indent.length() + 3) : lines);
            }
        } else {
            text.append(' ').append(value.isString() ? scalar(value.asString()) : value.toString());
        }
    }

    private static Map<String, JsonNode> fields(JsonNode object) {
        Map<String, JsonNode> fields = new HashMap<>();
        object.properties().forEach(field -> fields.put(field.getKey(), field.getValue()));
        return fields;
    }

    /** A scalar; a JSON string is also a YAML string. */
    private static String scalar(String text) {
        return PLAIN.matcher(text).matches() && !WORDS.matcher(text).matches()
                ? text : JsonNodeFactory.instance.stringNode(text).toString();
    }

    private JsonNode tree(@Nullable Object value) {
        JsonNodeFactory nodes = JsonNodeFactory.instance;
        if (--remaining < 0) {
            throw new YamlEngineException("document contains excessive aliasing");
        }
        if (value instanceof Map<?, ?> map) {
            ObjectNode object = nodes.objectNode();
            map.forEach((key, field) -> object.set(String.valueOf(key), tree(field)));
            return object;
        }
        if (value instanceof Iterable<?> items) {
            ArrayNode array = nodes.arrayNode();
            items.forEach(item -> array.add(tree(item)));
            return array;
        }
        return Json.tree(value instanceof BigInteger number ? number.doubleValue() : value);
    }
}
