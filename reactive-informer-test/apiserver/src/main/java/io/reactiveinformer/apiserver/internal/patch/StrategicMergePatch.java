package io.reactiveinformer.apiserver.internal.patch;

import io.reactiveinformer.apiserver.internal.schema.GoForm;
import io.reactiveinformer.apiserver.internal.schema.Topology;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Kubernetes' strategic merge patch: a merge patch that merges lists of named items item by item, with the directives {@code $patch},
 * {@code $deleteFromPrimitiveList/…}, {@code $setElementOrder/…} and {@code $retainKeys}.
 */
public final class StrategicMergePatch {

    private static final String DIRECTIVE = "$patch";
    private static final String DELETE_VALUES = "$deleteFromPrimitiveList/";
    private static final String ORDER = "$setElementOrder/";
    private static final String RETAIN = "$retainKeys";

    private StrategicMergePatch() {}

    /**
     * The result of applying {@code patch} to {@code target}, which is not changed.
     *
     * @param topology the merge strategy of the target
     */
    public static JsonNode apply(JsonNode target, JsonNode patch, Topology topology) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch.deepCopy();
        }
        String directive = directive(changes);
        if (directive.equals("delete")) {
            return JsonNodeFactory.instance.objectNode();
        }
        if (directive.equals("replace") || topology.isReplacedByPatches()) {
            ObjectNode replaced = changes.deepCopy();
            replaced.remove(DIRECTIVE);
            return replaced;
        }
        ObjectNode merged = target instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
        retain(merged, changes);
        changes.properties().forEach(field -> {
            if (field.getKey().startsWith(DELETE_VALUES)) {
                deleteValues(merged, field.getKey().substring(DELETE_VALUES.length()), field.getValue());
            }
        });
        changes.properties().forEach(field -> {
            if (!field.getKey().startsWith("$")) {
                merge(merged, field.getKey(), field.getValue(), topology.field(field.getKey()));
            }
        });
        changes.properties().forEach(field -> {
            if (field.getKey().startsWith(ORDER)) {
                String list = field.getKey().substring(ORDER.length());
                if (merged.get(list) instanceof ArrayNode items) {
                    String key = Objects.requireNonNullElse(topology.field(list).mergeKey(), "");
                    merged.set(list, ordered(items.values(), field.getValue(), target.path(list), key));
                }
            }
        });
        return merged;
    }

    private static void merge(ObjectNode merged, String name, JsonNode change, Topology topology) {
        JsonNode old = merged.path(name);
        if (change.isNull()) {
            merged.remove(name);
        } else if (!change.isArray()) {
            merged.set(name, apply(old, change, topology));
        } else if (topology.mergeKey() == null) {
            merged.set(name, change.deepCopy());
        } else if (topology.mergeKey().isEmpty()) {
            merged.set(name, union(old, change));
        } else {
            merged.set(name, mergeItems(old, change, topology, topology.mergeKey()));
        }
    }

    private static ArrayNode mergeItems(JsonNode old, JsonNode changes, Topology list, String key) {
        boolean isReplaced = changes.valueStream().anyMatch(change -> directive(change).equals("replace"));
        List<JsonNode> items = new ArrayList<>(isReplaced ? List.of() : old.values());
        List<JsonNode> plain = new ArrayList<>();
        for (JsonNode change : changes) {
            if (!old.isMissingNode() && !change.has(key) && !directive(change).equals("replace")) {
                throw new PatchException("map: " + GoForm.text(change) + " does not contain declared merge key: " + key);
            }
            if (directive(change).equals("delete")) {
                items.removeIf(item -> sameKey(item, change, key));
            } else if (directive(change).isEmpty()) {
                plain.add(change);
                int at = find(items, change, key);
                if (at >= 0) {
                    items.set(at, apply(items.get(at), change, list.item()));
                } else {
                    items.add(apply(JsonNodeFactory.instance.objectNode(), change, list.item()));
                }
            }
        }
        return ordered(items, JsonNodeFactory.instance.arrayNode().addAll(plain), old, key);
    }

    private static String directive(JsonNode change) {
        return change.path(DIRECTIVE).asString("");
    }

    private static int find(Iterable<JsonNode> items, JsonNode wanted, String key) {
        int at = 0;
        for (JsonNode item : items) {
            if (key.isEmpty() ? item.equals(wanted) : sameKey(item, wanted, key)) {
                return at;
            }
            at++;
        }
        return -1;
    }

    private static boolean sameKey(JsonNode one, JsonNode other, String key) {
        return one.has(key) && one.path(key).equals(other.path(key));
    }

    private static ArrayNode union(JsonNode old, JsonNode added) {
        Set<JsonNode> values = new LinkedHashSet<>(old.values());
        values.addAll(added.values());
        return ordered(values, added, old, "");
    }

    /**
     * Orders merged items: those of the patch in its order, the others in theirs. An item of the patch comes first unless the other was
     * before it already.
     */
    private static ArrayNode ordered(Collection<JsonNode> items, JsonNode patch, JsonNode old, String key) {
        Deque<JsonNode> others = new ArrayDeque<>(items.stream().filter(item -> find(patch, item, key) < 0).toList());
        List<JsonNode> wanted = items.stream()
                .filter(item -> find(patch, item, key) >= 0)
                .sorted(Comparator.comparingInt(item -> find(patch, item, key)))
                .toList();
        ArrayNode ordered = JsonNodeFactory.instance.arrayNode();
        for (JsonNode item : wanted) {
            int at = find(old, item, key);
            while (!others.isEmpty() && find(old, others.element(), key) >= 0 && find(old, others.element(), key) < at) {
                ordered.add(others.remove());
            }
            ordered.add(item);
        }
        return ordered.addAll(others);
    }

    private static void deleteValues(ObjectNode merged, String list, JsonNode values) {
        if (merged.get(list) instanceof ArrayNode array) {
            array.removeIf(item -> values.valueStream().anyMatch(item::equals));
        }
    }

    private static void retain(ObjectNode merged, ObjectNode changes) {
        if (changes.get(RETAIN) instanceof ArrayNode retained) {
            merged.retain(retained.valueStream().map(JsonNode::asString).toList());
        }
    }
}
