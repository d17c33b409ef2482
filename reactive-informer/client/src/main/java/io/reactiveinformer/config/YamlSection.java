package io.reactiveinformer.config;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A mapping in a YAML file, read by key. A value of an unexpected kind fails with its position; keys that are not read are ignored.
 *
 * @param origin file and path within it, for messages
 */
record YamlSection(Map<?, ?> entries, String origin) {

    /** The value as a text; null if the key is absent or its value empty. */
    @Nullable ConfigValue text(String key) {
        Object value = entries.get(key);
        return value == null || "".equals(value) ? null : new ConfigValue(text(key, "text", value), at(key));
    }

    /** A number is no text, as in kubectl: its value does not show how it was written, such as 1.10 or 0x1F. */
    private String text(String key, String expected, @Nullable Object value) {
        if (!(value instanceof String text)) {
            throw wrong(key, expected, value);
        }
        if (text.indexOf('\0') >= 0) {
            throw new ConfigException(at(key) + ": expected " + expected + ", found a NUL character within it");
        }
        return text;
    }

    ConfigValue requiredText(String key) {
        ConfigValue value = text(key);
        if (value == null) {
            throw new ConfigException(at(key) + ": expected text, found nothing");
        }
        return value;
    }

    boolean flag(String key) {
        Object value = entries.get(key);
        if (value == null) {
            return false;
        }
        if (value instanceof Boolean flag) {
            return flag;
        }
        throw wrong(key, "true or false", value);
    }

    /** The mapping of {@code key}; empty if the key is absent. */
    YamlSection section(String key) {
        Object value = entries.get(key);
        if (value == null) {
            return new YamlSection(Map.of(), at(key));
        }
        if (value instanceof Map<?, ?> map) {
            return new YamlSection(map, at(key));
        }
        throw wrong(key, "a mapping", value);
    }

    List<YamlSection> sections(String key) {
        var sections = new ArrayList<YamlSection>();
        for (Object element : list(key)) {
            if (!(element instanceof Map<?, ?> map)) {
                throw wrong(key, "a list of mappings", element);
            }
            sections.add(new YamlSection(map, at(key) + "[" + sections.size() + "]"));
        }
        return sections;
    }

    List<String> texts(String key) {
        var texts = new ArrayList<String>();
        for (Object element : list(key)) {
            texts.add(text(key, "a list of texts", element));
        }
        return texts;
    }

    /** All keys. Fails if one is not a text. */
    List<String> keys() {
        var keys = new ArrayList<String>();
        for (Object key : entries.keySet()) {
            if (!(key instanceof String text)) {
                throw new ConfigException(origin + ": expected texts as keys, found something else; quotes make it text");
            }
            keys.add(text);
        }
        return keys;
    }

    boolean isEmpty() {
        return entries.isEmpty();
    }

    boolean has(String key) {
        return entries.get(key) != null;
    }

    private List<?> list(String key) {
        Object value = entries.get(key);
        if (value == null) {
            return List.of();
        }
        if (value instanceof List<?> list) {
            return list;
        }
        throw wrong(key, "a list", value);
    }

    private String at(String key) {
        return origin + (origin.endsWith(": ") ? "" : ".") + key;
    }

    private ConfigException wrong(String key, String expected, @Nullable Object found) {
        return new ConfigException(at(key) + ": expected " + expected + ", found " + kind(found)
                + (expected.contains("text") && (found instanceof Number || found instanceof Boolean) ? "; quotes make it text" : ""));
    }

    private static String kind(@Nullable Object value) {
        if (value == null) {
            return "nothing";
        }
        if (value instanceof Map) {
            return "a mapping";
        }
        if (value instanceof List) {
            return "a list";
        }
        return value instanceof Number ? "a number" : value instanceof Boolean ? "true or false" : "a single value";
    }

    /** Without the content, which may be secret. */
    @Override
    public String toString() {
        return origin;
    }
}
