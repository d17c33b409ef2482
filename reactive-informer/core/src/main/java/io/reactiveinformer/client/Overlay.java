package io.reactiveinformer.client;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Writes an object of a class that does not have all fields over the object that the server has. What the class makes of the server's
 * object is compared with what it makes of the caller's: differences are the caller's changes. All else stays as the server has it, also
 * what the class does not have, and what it reads as empty.
 */
final class Overlay {

    /** By the first of these that each element has, and each with another value, elements of two states of a list are matched. */
    private static final List<String> KEYS =
            List.of("name", "key", "id", "uid", "type", "ip", "mountPath", "devicePath", "containerPort", "port", "topologyKey");

    private Overlay() {}

    /**
     * @param live as the server has it
     * @param read what the class makes of {@code live}
     * @param wanted what the class makes of the caller's object
     * @throws IllegalArgumentException if fields that the class does not have would be lost with an element of a list
     */
    static JsonNode of(JsonNode live, JsonNode read, JsonNode wanted) {
        return of(live, read, wanted, "");
    }

    private static JsonNode of(@Nullable JsonNode live, @Nullable JsonNode read, JsonNode wanted, String path) {
        if (live != null && wanted.equals(read)) {
            return live;
        } else if (live instanceof ObjectNode object && read instanceof ObjectNode before && wanted instanceof ObjectNode after) {
            return properties(object, before, after, path);
        } else if (live instanceof ArrayNode array && read instanceof ArrayNode before && wanted instanceof ArrayNode after
                && array.size() == before.size() && hasMore(array, before)) {
            return elements(array, before, after, path);
        }
        return wanted;
    }

    private static ObjectNode properties(ObjectNode live, ObjectNode read, ObjectNode wanted, String path) {
        ObjectNode result = live.objectNode();
        live.forEachEntry((name, value) -> {
            if (wanted.has(name) || !read.has(name)) {
                result.set(name, value);
            }
        });
        wanted.forEachEntry((name, value) -> {
            if (!value.equals(read.get(name))) {
                result.set(name, of(live.get(name), read.get(name), value, path.isEmpty() ? name : path + "." + name));
            }
        });
        return result;
    }

    private static ArrayNode elements(ArrayNode live, ArrayNode read, ArrayNode wanted, String path) {
        int[] matches = matches(read, wanted);
        Set<Integer> kept = new HashSet<>();
        ArrayNode result = live.arrayNode();
        boolean isNew = false;
        for (int i = 0; i < matches.length; i++) {
            int at = matches[i];
            isNew |= at < 0;
            kept.add(at);
            result.add(at < 0 ? wanted.get(i) : of(live.get(at), read.get(at), wanted.get(i), path + "[" + i + "]"));
        }
        for (int at = 0; isNew && key(read, wanted) == null && at < live.size(); at++) {
            if (!kept.contains(at) && hasMore(live.get(at), read.get(at))) {
                throw new IllegalArgumentException(path + "[" + at + "] has fields that the class does not have, and it cannot be known"
                        + " which element takes its place; use patch, or a class with all fields");
            }
        }
        return result;
    }

    /** For each wanted element, the index of the one that was read in its place; -1 if it is new. */
    private static int[] matches(ArrayNode read, ArrayNode wanted) {
        String key = key(read, wanted);
        int[] matches = new int[wanted.size()];
        Set<Integer> free = new HashSet<>();
        for (int i = 0; i < read.size(); i++) {
            free.add(i);
        }
        List<Integer> unmatched = new ArrayList<>();
        for (int i = 0; i < matches.length; i++) {
            JsonNode element = wanted.get(i);
            matches[i] = -1;
            for (int at = 0; at < read.size() && matches[i] < 0; at++) {
                boolean same = key == null ? element.equals(read.get(at)) : element.get(key).equals(read.get(at).get(key));
                if (same && free.remove(at)) {
                    matches[i] = at;
                }
            }
            if (matches[i] < 0) {
                unmatched.add(i);
            }
        }
        if (key == null && read.size() == wanted.size()) {
            unmatched.stream().filter(free::contains).forEach(i -> matches[i] = i); // changed in its place
        }
        return matches;
    }

    private static @Nullable String key(ArrayNode read, ArrayNode wanted) {
        return KEYS.stream().filter(key -> isKey(key, read) && isKey(key, wanted)).findFirst().orElse(null);
    }

    private static boolean isKey(String key, ArrayNode elements) {
        Set<JsonNode> values = new HashSet<>();
        return elements.valueStream().map(element -> element.path(key))
                .allMatch(value -> value.isValueNode() && !value.isMissingNode() && values.add(value));
    }

    /** Whether {@code live} has fields that {@code read} lacks. */
    private static boolean hasMore(@Nullable JsonNode live, @Nullable JsonNode read) {
        if (live == null || live.isNull()) {
            return false;
        } else if (read == null) {
            return true;
        } else if (live.isObject()) {
            return live.properties().stream().anyMatch(property -> hasMore(property.getValue(), read.get(property.getKey())));
        }
        boolean more = false;
        for (int i = 0; i < live.size(); i++) {
            more |= hasMore(live.get(i), read.get(i));
        }
        return more;
    }
}
