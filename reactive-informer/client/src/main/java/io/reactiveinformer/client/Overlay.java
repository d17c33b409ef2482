package io.reactiveinformer.client;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
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

    /**
     * By the first of these that each element has, and each with another value, elements of two states of a list are matched; or else by a
     * text that recurs.
     */
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
        } else if (live instanceof ArrayNode array && read instanceof ArrayNode before && wanted instanceof ArrayNode after) {
            ArrayNode ordered = inOrderOf(array, before, path);
            return ordered != null && hasMore(array, ordered) ? elements(array, ordered, after, path) : after;
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

    /**
     * What was read, in the order in which the server has it: a set is read in an order of its own, and without what is in it twice. Null
     * if it has another number of elements.
     *
     * @throws IllegalArgumentException if that cannot be known, and matters
     */
    private static @Nullable ArrayNode inOrderOf(ArrayNode live, ArrayNode read, String path) {
        boolean complete = live.size() == read.size();
        if (complete && IntStream.range(0, live.size()).allMatch(i -> isFrom(live.get(i), read.get(i)))) {
            return read;
        }
        List<JsonNode> free = new ArrayList<>();
        read.forEach(free::add);
        ArrayNode ordered = live.arrayNode();
        for (int i = 0; complete && i < live.size(); i++) {
            JsonNode element = live.get(i);
            free.stream().filter(one -> isFrom(element, one)).findFirst().filter(free::remove).ifPresent(ordered::add);
        }
        if (complete && ordered.size() < live.size()) {
            return read; // a list whose values the class writes in another form
        }
        if (!complete && live.valueStream().anyMatch(element -> read.valueStream().allMatch(one -> hasMore(element, one)))) {
            throw new IllegalArgumentException(path + " has fields that the class does not have, and elements that it does not tell apart;"
                    + " use patch, or a class with all fields");
        }
        return complete ? ordered : null;
    }

    /** Whether {@code read} may be what a class has made of {@code live}. */
    private static boolean isFrom(@Nullable JsonNode live, JsonNode read) {
        if (live == null || live.isNull()) {
            return true;
        } else if (read.isObject() && live.isObject()) {
            return read.properties().stream().allMatch(property -> isFrom(live.get(property.getKey()), property.getValue()));
        } else if (read.isNumber() && live.isNumber()) {
            return read.doubleValue() == live.doubleValue();
        }
        return read.isContainer() ? live.getNodeType() == read.getNodeType() : read.equals(live);
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
        boolean mayReplace = isNew && key(read, wanted) == null;
        for (int at = 0; mayReplace && at < live.size(); at++) {
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
        Map<String, Queue<Integer>> known = new HashMap<>();
        Set<Integer> free = new HashSet<>();
        for (int i = 0; i < read.size(); i++) {
            known.computeIfAbsent(text(read.get(i), key), first -> new ArrayDeque<>()).add(i);
            free.add(i);
        }
        int[] matches = new int[wanted.size()];
        List<Integer> unmatched = new ArrayList<>();
        for (int i = 0; i < matches.length; i++) {
            Queue<Integer> same = known.get(text(wanted.get(i), key));
            Integer at = same == null ? null : same.poll();
            if (at == null) {
                unmatched.add(i);
            } else {
                free.remove(at);
            }
            matches[i] = at == null ? -1 : at;
        }
        if (key == null && read.size() == wanted.size() && unmatched.size() == 1 && free.contains(unmatched.get(0))) {
            matches[unmatched.get(0)] = unmatched.get(0); // changed in its place; of several it is not known which became which
        }
        return matches;
    }

    private static @Nullable String key(ArrayNode read, ArrayNode wanted) {
        return KEYS.stream().filter(key -> isKey(key, read) && isKey(key, wanted)).findFirst()
                .or(() -> texts(read).filter(key -> isKey(key, read) && isKey(key, wanted) && values(key, read).equals(values(key, wanted)))
                        .findFirst())
                .orElse(null);
    }

    /** The properties with texts, such as a {@code path}: one that has the same values before and after tells elements apart. */
    private static Stream<String> texts(ArrayNode elements) {
        return elements.path(0).properties().stream().filter(property -> property.getValue().isString()).map(Map.Entry::getKey);
    }

    private static Set<String> values(String key, ArrayNode elements) {
        return elements.valueStream().map(element -> element.path(key).toString()).collect(Collectors.toSet());
    }

    private static boolean isKey(String key, ArrayNode elements) {
        Set<String> values = new HashSet<>();
        return elements.valueStream().map(element -> element.path(key))
                .allMatch(value -> value.isValueNode() && !value.isMissingNode() && values.add(value.toString()));
    }

    /** Of texts, those with one hash are found as fast as others. */
    private static String text(JsonNode element, @Nullable String key) {
        return (key == null ? element : element.path(key)).toString();
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
