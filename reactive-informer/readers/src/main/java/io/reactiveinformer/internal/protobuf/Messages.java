package io.reactiveinformer.internal.protobuf;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * The fields of each built-in type, from a table in {@code messages.txt}, which is read once. The generated classes of
 * {@code client-java-proto} would be 13 MB and lack what is needed here: which fields are pointers, their names in JSON, and how they
 * merge.
 */
public final class Messages {

    private static final Messages BUILT_IN = load();

    private final Map<String, Map<Integer, Field>> byName;
    private final Map<String, Map<String, Field>> inJson = new HashMap<>();
    private final Set<String> atomic;

    private Messages(Map<String, Map<Integer, Field>> byName, Set<String> atomic) {
        this.byName = byName;
        this.atomic = atomic;
        byName.keySet().forEach(message -> {
            Map<String, Field> known = new HashMap<>();
            collect(message, known);
            inJson.put(message, Collections.unmodifiableMap(known));
        });
    }

    private void collect(String message, Map<String, Field> known) {
        get(message).values().forEach(field -> {
            if (field.inline()) {
                collect(field.type(), known);
            } else {
                known.put(field.name(), field);
            }
        });
    }

    public enum Count {
        ONE, LIST, MAP
    }

    /**
     * One field.
     *
     * @param name in JSON; {@code -} for a part whose fields are inlined into the message in JSON
     * @param type of the field, or of each of its elements: a scalar, a message, or a type with a JSON form of its own
     * @param pointer whether it is absent if it was not set; other fields are always sent, empty or not
     * @param omitEmpty whether JSON omits it if it is empty
     * @param marks how it merges: {@code merge}, {@code replace}, {@code keys}, {@code set}, {@code atomic}, {@code granular} and {@code
     *     default}, with what they are in the table
     */
    public record Field(int number, String name, Count count, String type, boolean pointer,
            boolean omitEmpty, Map<String, List<String>> marks) {

        /** Whether the fields of this part are inlined into the message in JSON. */
        public boolean inline() {
            return name.equals("-");
        }

        /** Whether JSON omits the field with this value. */
        public boolean omits(JsonNode value) {
            return value.isNull() || omitEmpty && !pointer && isEmpty(value);
        }

        private static boolean isEmpty(JsonNode value) {
            return value.isContainer() ? value.isEmpty()
                    : value.isString() ? value.asString().isEmpty()
                    : value.isBoolean() ? !value.asBoolean() : value.isNumber() && value.doubleValue() == 0;
        }

        private static Field parse(String line) {
            List<String> words = List.of(line.trim().split(" ", -1));
            String type = words.get(2);
            boolean pointer = type.endsWith("*");
            Count count = type.startsWith("[]") ? Count.LIST : type.startsWith("map:") ? Count.MAP : Count.ONE;
            String element = type.substring(count == Count.LIST ? 2 : count == Count.MAP ? 4 : 0, type.length() - (pointer ? 1 : 0));
            return new Field(Integer.parseInt(words.get(0)), words.get(1), count, element,
                    pointer, words.contains("?"), marks(words.subList(3, words.size())));
        }

        private static Map<String, List<String>> marks(List<String> words) {
            return words.stream().filter(word -> !word.equals("?")).map(word -> word.split("=", 2)).collect(Collectors.toUnmodifiableMap(
                    mark -> mark[0], mark -> mark.length == 1 ? List.of() : Stream.of(mark[1].split(",", -1)).sorted().toList()));
        }
    }

    /** The messages of the built-in types. The first call reads the table. */
    public static Messages builtIn() {
        return BUILT_IN;
    }

    /** The fields, by number, of a message such as {@code apps/v1.Deployment}; empty if there is no such message. */
    public Optional<Map<Integer, Field>> find(String message) {
        return Optional.ofNullable(byName.get(message));
    }

    /**
     * The fields of a message, by number.
     *
     * @throws IllegalStateException if the table has no such message
     */
    public Map<Integer, Field> get(String message) {
        return find(message)
                .orElseThrow(() -> new IllegalStateException("messages.txt has no " + message + ", though a field is of this type"));
    }

    /** The fields of a message by their names in JSON, with those of inlined parts; empty if there is no such message. */
    public Map<String, Field> inJson(String message) {
        return inJson.getOrDefault(message, Map.of());
    }

    /** Whether the whole message is one value for merging. */
    public boolean isAtomic(String message) {
        return atomic.contains(message);
    }

    private static Messages load() {
        try (InputStream stream = Messages.class.getResourceAsStream("messages.txt")) {
            if (stream == null) {
                throw new IllegalStateException("messages.txt is missing beside " + Messages.class.getName() + "; is the jar complete?");
            }
            Map<String, Map<Integer, Field>> byName = new HashMap<>();
            Set<String> atomic = new HashSet<>();
            Map<Integer, Field> fields = Map.of();
            for (String line : new String(stream.readAllBytes(), StandardCharsets.UTF_8).split("\n", -1)) {
                if (line.startsWith(" ")) {
                    Field field = Field.parse(line);
                    fields.put(field.number(), field);
                } else if (!line.isEmpty() && !line.startsWith("#")) {
                    String[] words = line.split(" ", -1);
                    fields = new LinkedHashMap<>();
                    byName.put(words[0], fields);
                    if (words.length > 1) {
                        atomic.add(words[0]);
                    }
                }
            }
            return new Messages(byName, atomic);
        } catch (IOException failure) {
            throw new UncheckedIOException("cannot read messages.txt", failure);
        }
    }
}
