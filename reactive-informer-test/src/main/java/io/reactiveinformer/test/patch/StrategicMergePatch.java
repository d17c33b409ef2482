package io.reactiveinformer.test.patch;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Kubernetes' own: a merge patch in which lists of named things are merged item by item, with the directives {@code $patch},
 * {@code $deleteFromPrimitiveList/…}, {@code $setElementOrder/…} and {@code $retainKeys}.
 */
public final class StrategicMergePatch {

    private static final String DIRECTIVE = "$patch";
    private static final String DELETE_VALUES = "$deleteFromPrimitiveList/";
    private static final String ORDER = "$setElementOrder/";
    private static final String RETAIN = "$retainKeys";

    private StrategicMergePatch() {}

    public static JsonNode apply(JsonNode target, JsonNode patch) {
        if (!(patch instanceof ObjectNode changes)) {
            return patch.deepCopy();
        }
        if (changes.path(DIRECTIVE).asString("").equals("replace")) {
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
                merge(merged, field.getKey(), field.getValue());
            }
        });
        changes.properties().forEach(field -> {
            if (field.getKey().startsWith(ORDER)) {
                order(merged, field.getKey().substring(ORDER.length()), field.getValue());
            }
        });
        return merged;
    }

    private static void merge(ObjectNode merged, String name, JsonNode change) {
        JsonNode old = merged.path(name);
        if (change.isNull()) {
            merged.remove(name);
        } else if (change.isArray()) {
            List<String> key = ListKeys.of(name, change, old);
            if (key != null) {
                merged.set(name, mergeItems(old, change, key));
            } else if (ListKeys.isSet(name)) {
                merged.set(name, union(old, change));
            } else {
                merged.set(name, change.deepCopy());
            }
        } else {
            merged.set(name, apply(old, change));
        }
    }

    private static ArrayNode mergeItems(JsonNode old, JsonNode changes, List<String> key) {
        List<JsonNode> items = new ArrayList<>();
        boolean replace = false;
        for (JsonNode change : changes) {
            replace |= change.path(DIRECTIVE).asString("").equals("replace") && change.size() == 1;
        }
        if (!replace) {
            old.forEach(items::add);
        }
        for (JsonNode change : changes) {
            String directive = change.path(DIRECTIVE).asString("");
            int at = find(items, change, key);
            if (directive.equals("delete")) {
                items.removeIf(item -> sameKey(item, change, key));
            } else if (at >= 0) {
                items.set(at, apply(items.get(at), change));
            } else if (!directive.equals("replace") || change.size() > 1) {
                items.add(apply(JsonNodeFactory.instance.objectNode(), change));
            }
        }
        ArrayNode array = JsonNodeFactory.instance.arrayNode();
        array.addAll(items);
        return array;
    }

    private static int find(List<JsonNode> items, JsonNode wanted, List<String> key) {
        for (int i = 0; i < items.size(); i++) {
            if (sameKey(items.get(i), wanted, key)) {
                return i;
            }
        }
        return -1;
    }

    /** By the first field of the key, and by those others that both name. */
    private static boolean sameKey(JsonNode one, JsonNode other, List<String> key) {
        for (String field : key) {
            @Nullable JsonNode a = one.get(field);
            @Nullable JsonNode b = other.get(field);
            boolean first = field.equals(key.get(0));
            if (first && (a == null || !a.equals(b)) || !first && a != null && b != null && !a.equals(b)) {
                return false;
            }
        }
        return true;
    }

    private static ArrayNode union(JsonNode old, JsonNode added) {
        ArrayNode union = JsonNodeFactory.instance.arrayNode();
        List<JsonNode> values = new ArrayList<>();
        old.forEach(values::add);
        added.forEach(value -> {
            if (!values.contains(value)) {
                values.add(value);
            }
        });
        return union.addAll(values);
    }

    private static void deleteValues(ObjectNode merged, String list, JsonNode values) {
        if (merged.get(list) instanceof ArrayNode array) {
            values.forEach(value -> {
                for (int i = array.size() - 1; i >= 0; i--) {
                    if (array.get(i).equals(value)) {
                        array.remove(i);
                    }
                }
            });
        }
    }

    /** Those that the patch orders come in its order, the others stay behind them. */
    private static void order(ObjectNode merged, String list, JsonNode wanted) {
        if (!(merged.get(list) instanceof ArrayNode array)) {
            return;
        }
        List<String> key = ListKeys.of(list, array, wanted);
        List<JsonNode> rest = new ArrayList<>();
        array.forEach(rest::add);
        ArrayNode ordered = JsonNodeFactory.instance.arrayNode();
        for (JsonNode next : wanted) {
            for (int i = 0; i < rest.size(); i++) {
                if (key == null ? rest.get(i).equals(next) : sameKey(rest.get(i), next, key)) {
                    ordered.add(rest.remove(i));
                    break;
                }
            }
        }
        merged.set(list, ordered.addAll(rest));
    }

    private static void retain(ObjectNode merged, ObjectNode changes) {
        if (changes.get(RETAIN) instanceof ArrayNode retained) {
            List<String> names = new ArrayList<>();
            retained.forEach(name -> names.add(name.asString()));
            merged.retain(names);
        }
    }
}
