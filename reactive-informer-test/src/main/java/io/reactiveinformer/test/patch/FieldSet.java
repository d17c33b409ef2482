package io.reactiveinformer.test.patch;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * Sets of fields in the form of {@code managedFields[].fieldsV1}: {@code f:} before the name of a field, {@code k:} before the key of an item,
 * {@code v:} before a value of a set, and {@code .} for the thing itself. Sets are trees that are not written to.
 *
 * @see <a href="https://kubernetes.io/docs/reference/using-api/server-side-apply/">Kubernetes: server-side apply</a>
 */
public final class FieldSet {

    private static final String SELF = ".";

    /** Structures that are always there in Go, so that nobody owns them themselves. */
    private static final Set<String> PLAIN_STRUCTURES = Set.of(
            "metadata", "spec", "status", "template", "strategy", "names", "jobTemplate", "updateStrategy", "nodeInfo", "acceptedNames");

    /** Structures and maps that are one value. */
    private static final Set<String> ATOMIC = Set.of(
            "selector", "nodeSelector", "roleRef", "regarding", "related", "involvedObject", "scaleTargetRef", "labelSelector", "podSelector", "namespaceSelector", "resourceFieldRef", "fieldRef",
            "openAPIV3Schema", "valueFrom", "configMapKeyRef", "secretKeyRef");

    private FieldSet() {}

    /**
     * All fields of {@code tree}.
     *
     * @param structured whether the type has a schema; without one every object is a map
     */
    public static ObjectNode of(JsonNode tree, boolean structured) {
        return changed(JsonNodeFactory.instance.objectNode(), tree, structured);
    }

    /** The fields that an apply of {@code tree} owns: of maps and structures only what is in them, of list items the items too. */
    public static ObjectNode applied(JsonNode tree, boolean structured) {
        return withoutSelves(of(tree, structured), false);
    }

    private static ObjectNode withoutSelves(JsonNode set, boolean item) {
        ObjectNode rest = JsonNodeFactory.instance.objectNode();
        set.properties().forEach(field -> {
            if (item || !field.getKey().equals(SELF)) {
                rest.set(field.getKey(), withoutSelves(field.getValue(), field.getKey().startsWith("k:")));
            }
        });
        return rest;
    }

    /** The fields of {@code now} that {@code before} does not have, or has another value for. */
    public static ObjectNode changed(JsonNode before, JsonNode now, boolean structured) {
        ObjectNode set = JsonNodeFactory.instance.objectNode();
        fields(set, before, now, structured);
        if (set.get("f:metadata") instanceof ObjectNode metadata) {
            metadata.remove(SELF); // a structure in every type, custom ones too
        }
        return sorted(set);
    }

    private static void fields(ObjectNode set, JsonNode before, JsonNode now, boolean structured) {
        now.properties().forEach(field -> {
            String name = field.getKey();
            JsonNode value = field.getValue();
            JsonNode old = before.path(name);
            if (value.equals(old)) {
                return;
            }
            ObjectNode inner = JsonNodeFactory.instance.objectNode();
            @Nullable List<String> key = value.isArray() && structured ? ListKeys.of(name, value, old) : null;
            if (value.isObject() && !value.isEmpty() && !(structured && ATOMIC.contains(name))) {
                fields(inner, old, value, structured);
                self(inner, old, !(structured && PLAIN_STRUCTURES.contains(name)));
            } else if (key != null) {
                items(inner, old, value, key);
                self(inner, old, !name.equals("containers"));
            } else if (value.isArray() && ListKeys.isSet(name)) {
                value.forEach(item -> inner.putObject("v:" + item));
                self(inner, old, true);
            }
            set.set("f:" + name, inner);
        });
    }

    private static void self(ObjectNode inner, JsonNode old, boolean owned) {
        if (owned && old.isMissingNode()) {
            inner.putObject(SELF);
        }
    }

    private static void items(ObjectNode inner, JsonNode old, JsonNode items, List<String> key) {
        for (JsonNode item : items) {
            JsonNode former = find(old, item, key);
            if (!item.equals(former)) {
                ObjectNode part = inner.putObject("k:" + keyOf(item, key));
                fields(part, former, item, true);
                self(part, former, true);
            }
        }
    }

    private static ObjectNode keyOf(JsonNode item, List<String> key) {
        ObjectNode named = JsonNodeFactory.instance.objectNode();
        for (String field : key) {
            JsonNode value = item.get(field);
            if (value != null) {
                named.set(field, value);
            } else if (field.equals("protocol")) {
                named.put(field, "TCP");
            }
        }
        return named;
    }

    private static JsonNode find(JsonNode items, JsonNode wanted, List<String> key) {
        ObjectNode wantedKey = keyOf(wanted, key);
        for (JsonNode item : items) {
            if (keyOf(item, key).equals(wantedKey)) {
                return item;
            }
        }
        return JsonNodeFactory.instance.objectNode().path("absent");
    }

    /** Both. */
    public static ObjectNode union(JsonNode one, JsonNode other) {
        ObjectNode both = (ObjectNode) one.deepCopy();
        other.properties().forEach(field -> both.set(
                field.getKey(), both.has(field.getKey()) ? union(both.path(field.getKey()), field.getValue()) : field.getValue().deepCopy()));
        return sorted(both);
    }

    /** What only the first has. */
    public static ObjectNode minus(JsonNode one, JsonNode other) {
        ObjectNode rest = JsonNodeFactory.instance.objectNode();
        one.properties().forEach(field -> {
            JsonNode same = other.get(field.getKey());
            if (same == null) {
                rest.set(field.getKey(), field.getValue().deepCopy());
            } else if (!field.getValue().isEmpty()) {
                ObjectNode inner = minus(field.getValue(), same);
                if (!inner.isEmpty()) {
                    rest.set(field.getKey(), inner);
                }
            }
        });
        return rest;
    }

    /** What both have. */
    public static ObjectNode common(JsonNode one, JsonNode other) {
        return minus(one, minus(one, other));
    }

    /** What of the set is still there in {@code tree}. */
    public static ObjectNode present(JsonNode set, JsonNode tree) {
        ObjectNode rest = JsonNodeFactory.instance.objectNode();
        set.properties().forEach(field -> {
            String name = field.getKey();
            JsonNode value = name.equals(SELF) ? tree : value(tree, name);
            if (value.isMissingNode()) {
                return;
            }
            ObjectNode inner = field.getValue().isEmpty() ? JsonNodeFactory.instance.objectNode() : present(field.getValue(), value);
            if (field.getValue().isEmpty() || !inner.isEmpty()) {
                rest.set(name, inner);
            }
        });
        return rest;
    }

    private static JsonNode value(JsonNode tree, String name) {
        String rest = name.substring(2);
        if (name.startsWith("f:")) {
            return tree.path(rest);
        }
        JsonNode wanted = JsonMapper.shared().readTree(rest);
        for (JsonNode item : tree) {
            if (name.startsWith("v:") ? item.equals(wanted) : keyOf(item, List.copyOf(wanted.propertyNames())).equals(wanted)) {
                return item;
            }
        }
        return JsonNodeFactory.instance.objectNode().path("absent");
    }

    /** The same tree without the fields of the set; what was emptied by that goes too. */
    public static JsonNode without(JsonNode tree, JsonNode set) {
        if (tree instanceof ArrayNode array) {
            ArrayNode rest = JsonNodeFactory.instance.arrayNode();
            for (JsonNode item : array) {
                JsonNode kept = item;
                for (var field : set.properties()) {
                    if (!field.getKey().equals(SELF) && value(array, field.getKey()).equals(item)) {
                        kept = field.getValue().has(SELF) || field.getValue().isEmpty() ? null : without(item, field.getValue());
                    }
                }
                if (kept != null) {
                    rest.add(kept);
                }
            }
            return rest;
        }
        ObjectNode rest = JsonNodeFactory.instance.objectNode();
        tree.properties().forEach(field -> {
            JsonNode taken = set.get("f:" + field.getKey());
            if (taken == null) {
                rest.set(field.getKey(), field.getValue());
            } else if (!taken.isEmpty()) {
                JsonNode inner = without(field.getValue(), taken);
                if (!inner.isEmpty()) {
                    rest.set(field.getKey(), inner);
                }
            }
        });
        return rest;
    }

    /** The paths of its leaves as messages say them: {@code .spec.containers[name="c"].image}. */
    public static List<String> paths(JsonNode set) {
        List<String> paths = new ArrayList<>();
        paths("", set, paths);
        return paths;
    }

    private static void paths(String prefix, JsonNode set, List<String> paths) {
        set.properties().forEach(field -> {
            String name = field.getKey();
            if (!name.equals(SELF)) {
                String here = prefix + (name.startsWith("f:") ? "." + name.substring(2) : item(name.substring(2)));
                if (field.getValue().isEmpty()) {
                    paths.add(here);
                } else {
                    paths(here, field.getValue(), paths);
                }
            }
        });
    }

    private static String item(String key) {
        JsonNode value = JsonMapper.shared().readTree(key);
        if (!value.isObject()) {
            return "[" + key + "]";
        }
        StringBuilder text = new StringBuilder("[");
        value.properties().forEach(field -> text.append(text.length() == 1 ? "" : ",").append(field.getKey()).append('=').append(field.getValue()));
        return text.append(']').toString();
    }

    private static ObjectNode sorted(ObjectNode set) {
        var byName = new TreeMap<String, JsonNode>();
        set.properties().forEach(field -> byName.put(field.getKey(), field.getValue()));
        ObjectNode sorted = JsonNodeFactory.instance.objectNode();
        byName.forEach((name, inner) -> sorted.set(name, sorted((ObjectNode) inner)));
        return sorted;
    }
}
