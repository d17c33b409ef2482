package io.reactiveinformer.apiserver.internal.patch;

import io.reactiveinformer.apiserver.internal.schema.Topology;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * An immutable set of fields, each a path from the whole object down. A step of a path is {@code f:} and the name of a field, or the name
 * that {@link Parts} gives an item. A path in the set includes neither the paths below it nor those above it.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/">Kubernetes: server-side apply</a>
 */
public record FieldSet(Set<List<String>> paths) {

    /** The empty set. */
    public static final FieldSet NONE = new FieldSet(Set.of());

    private static final String SELF = ".";

    public FieldSet {
        paths = Set.copyOf(paths);
    }

    /** Reads {@code managedFields[].fieldsV1}; {@code .} is the field that contains it. */
    public static FieldSet read(JsonNode fieldsV1) {
        Set<List<String>> paths = new HashSet<>();
        fieldsV1.properties().forEach(field -> read(List.of(field.getKey()), field.getValue(), paths));
        return new FieldSet(paths);
    }

    private static void read(List<String> path, JsonNode fields, Set<List<String>> paths) {
        if (fields.isEmpty() || fields.has(SELF)) {
            paths.add(path);
        }
        fields.properties().forEach(field -> {
            if (!field.getKey().equals(SELF)) {
                read(below(path, field.getKey()), field.getValue(), paths);
            }
        });
    }

    static List<String> below(List<String> path, String step) {
        return Stream.concat(path.stream(), Stream.of(step)).toList();
    }

    /** The set as {@code fieldsV1}, sorted. */
    public ObjectNode write() {
        ObjectNode fields = JsonNodeFactory.instance.objectNode();
        List<List<String>> sorted = sorted();
        Set<List<String>> above = new HashSet<>();
        paths.forEach(path -> above.addAll(above(path)));
        for (List<String> path : sorted) {
            ObjectNode at = fields;
            for (String step : path) {
                at = at.withObjectProperty(step);
            }
            if (above.contains(path)) {
                at.putObject(SELF);
            }
        }
        return fields;
    }

    /** The paths above a path, from the whole object down. */
    static List<List<String>> above(List<String> path) {
        return IntStream.range(0, path.size()).mapToObj(i -> path.subList(0, i)).toList();
    }

    private List<List<String>> sorted() {
        return paths.stream().sorted(Comparator.comparing(path -> String.join("\0", path))).toList();
    }

    /** Whether the set has no paths. */
    public boolean isEmpty() {
        return paths.isEmpty();
    }

    boolean contains(List<String> path) {
        return paths.contains(path);
    }

    /** The union of both sets. */
    public FieldSet with(FieldSet others) {
        Set<List<String>> both = new HashSet<>(paths);
        both.addAll(others.paths);
        return new FieldSet(both);
    }

    /** The paths of this set that {@code others} does not contain. */
    public FieldSet without(FieldSet others) {
        return only(path -> !others.contains(path));
    }

    /** The intersection of both sets. */
    public FieldSet and(FieldSet others) {
        return only(others::contains);
    }

    private FieldSet only(Predicate<List<String>> kept) {
        Set<List<String>> left = new HashSet<>(paths);
        left.removeIf(kept.negate());
        return new FieldSet(left);
    }

    /** The set with the fields of structures on the way to its paths; entries of maps, and items, are not added. */
    FieldSet withStructures(Topology topology) {
        Set<List<String>> more = new HashSet<>(paths);
        for (List<String> path : paths) {
            Topology at = topology;
            for (int i = 0; i < path.size() - 1; i++) {
                String step = path.get(i);
                if (step.startsWith("f:") && at.hasField(step.substring(2))) {
                    more.add(path.subList(0, i + 1));
                }
                at = Parts.topology(at, step);
            }
        }
        return new FieldSet(more);
    }

    /** The paths as in the server's messages, sorted: {@code .spec.containers[name="c"].image}. */
    public List<String> texts() {
        return sorted().stream().map(FieldSet::text).toList();
    }

    private static String text(List<String> path) {
        return path.stream().map(step -> step.startsWith("f:") ? "." + step.substring(2) : item(step.substring(2)))
                .collect(Collectors.joining());
    }

    /** The key of an item as in the server's messages: {@code [name="c"]}. */
    static String item(String key) {
        JsonNode value = JsonMapper.shared().readTree(key);
        return !value.isObject() ? "[=" + key + "]" : value.propertyStream().map(field -> field.getKey() + "=" + field.getValue()).sorted()
                .collect(Collectors.joining(",", "[", "]"));
    }

    @Override
    public String toString() {
        return write().toString();
    }
}
