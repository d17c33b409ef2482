package io.reactiveinformer.test.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * The fields of each message, from a table in {@code messages.txt}, read once. The generated classes of
 * {@code client-java-proto} would be 13 MB and leave out what matters: which fields are pointers, and what JSON calls them.
 */
final class Messages {

    private static final Messages BUILT_IN = load();

    private final Map<String, Map<Integer, Field>> byName;

    private Messages(Map<String, Map<Integer, Field>> byName) {
        this.byName = byName;
    }

    enum Count {
        ONE, LIST, MAP
    }

    /**
     * One field.
     *
     * @param name in JSON; {@code -} for a part whose fields stand in the message itself
     * @param type of the field, or of each of its elements: a scalar, a message, or a type whose JSON is its own
     * @param pointer absent if it was not set; others are always sent, empty or not
     * @param omitEmpty JSON leaves it out if it is empty
     */
    record Field(int number, String name, Count count, String type, boolean pointer, boolean omitEmpty) {

        boolean inline() {
            return name.equals("-");
        }

        /** Whether JSON says nothing of it. */
        boolean omits(JsonNode value) {
            return value.isNull() || omitEmpty && !pointer && isEmpty(value);
        }

        private static boolean isEmpty(JsonNode value) {
            return value.isContainer() ? value.isEmpty()
                    : value.isString() ? value.asString().isEmpty()
                    : value.isBoolean() ? !value.asBoolean() : value.isNumber() && value.doubleValue() == 0;
        }

        private static Field parse(String line) {
            String[] words = line.trim().split(" ", -1);
            String type = words[2];
            boolean pointer = type.endsWith("*");
            Count count = type.startsWith("[]") ? Count.LIST : type.startsWith("map:") ? Count.MAP : Count.ONE;
            String element = type.substring(count == Count.LIST ? 2 : count == Count.MAP ? 4 : 0, type.length() - (pointer ? 1 : 0));
            return new Field(Integer.parseInt(words[0]), words[1], count, element, pointer, words.length == 4);
        }
    }

    static Messages builtIn() {
        return BUILT_IN;
    }

    /** The fields of {@code apps/v1.Deployment}, by number. */
    Optional<Map<Integer, Field>> find(String message) {
        return Optional.ofNullable(byName.get(message));
    }

    Map<Integer, Field> get(String message) {
        return find(message).orElseThrow(() -> new IllegalStateException("messages.txt has no " + message + ", though a field is of this type"));
    }

    private static Messages load() {
        try (InputStream stream = Messages.class.getResourceAsStream("messages.txt")) {
            if (stream == null) {
                throw new IllegalStateException("messages.txt is missing beside " + Messages.class.getName() + "; is the jar complete?");
            }
            Map<String, Map<Integer, Field>> byName = new HashMap<>();
            Map<Integer, Field> fields = Map.of();
            for (String line : new String(stream.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                if (line.startsWith(" ")) {
                    Field field = Field.parse(line);
                    fields.put(field.number(), field);
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    fields = new LinkedHashMap<>();
                    byName.put(line, fields);
                }
            }
            return new Messages(byName);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read messages.txt", failure);
        }
    }
}
