package io.reactiveinformer.apiserver.internal.patch;

import io.reactiveinformer.apiserver.internal.schema.Topology;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Server-side apply as a function: values that merge are merged as the type says (null adds nothing); all others are as applied, null too.
 */
public final class ApplyPatch {

    private ApplyPatch() {}

    /**
     * The result of applying {@code applied} to {@code live}; neither is changed.
     *
     * @throws PatchException if an item is applied twice under one key
     */
    public static ObjectNode apply(ObjectNode live, ObjectNode applied, Topology topology) {
        return (ObjectNode) merge("", live, applied, topology);
    }

    /**
     * The merged object without the fields that were applied last time and are not applied now. A structure is removed, with all its
     * contents, unless a manager owns a part of it; an item of a list, or an entry of a map, is removed unless a manager owns it as such.
     *
     * @param last the fields of the last apply
     * @param claimed the fields of all managers, with those of this apply
     */
    public static ObjectNode pruned(ObjectNode merged, FieldSet last, FieldSet claimed, Topology topology) {
        if (last.isEmpty()) {
            return merged;
        }
        FieldSet formerly = last.withStructures(topology);
        FieldSet all = Fields.of(merged, topology).withStructures(topology);
        FieldSet untouched = Fields.of(Fields.without(merged, formerly, topology), topology).withStructures(topology);
        ObjectNode left = Fields.without(merged, all.without(untouched.with(claimed.withStructures(topology))), topology);
        FieldSet gone = all.without(Fields.of(left, topology).withStructures(topology)).and(formerly);
        return Fields.without(merged, gone, topology);
    }

    private static JsonNode merge(String path, JsonNode live, JsonNode applied, Topology topology) {
        if (applied.isObject() && !topology.isAtomic()) {
            ObjectNode merged = live instanceof ObjectNode object ? object.deepCopy() : JsonNodeFactory.instance.objectNode();
            applied.properties().forEach(field -> {
                String name = field.getKey();
                JsonNode was = live.path(name);
                Topology part = topology.field(name);
                boolean keepsAll = field.getValue().isNull() && !was.isEmpty() && Parts.merges(was, part);
                merged.set(name, keepsAll ? was : merge(path + "." + name, was, field.getValue(), part));
            });
            return merged;
        }
        return applied.isArray() && Parts.mergesItems(topology) ? items(path, live, applied, topology) : applied.deepCopy();
    }

    /**
     * Merges the items of two lists. Common items come in the applied order; an item of one side stays before the common item that follows
     * it.
     */
    private static ArrayNode items(String path, JsonNode live, JsonNode applied, Topology topology) {
        Map<String, JsonNode> present = new HashMap<>();
        Deque<JsonNode> left = new ArrayDeque<>();
        for (JsonNode item : live) {
            left.add(item);
            present.merge(Parts.item(item, topology), item, (one, other) -> MissingNode.getInstance()); // duplicates do not merge
        }
        List<String> wanted = applied.valueStream().map(item -> Parts.item(item, topology)).toList();
        Set<String> both = new HashSet<>();
        for (String key : wanted) {
            if (!both.add(key)) {
                throw new PatchException(path + ": duplicate entries for key " + FieldSet.item(key.substring(2)));
            }
        }
        both.retainAll(present.keySet());
        Deque<String> common = new ArrayDeque<>(wanted);
        common.removeIf(key -> !both.contains(key));

        ArrayNode merged = JsonNodeFactory.instance.arrayNode();
        for (int i = 0; i < wanted.size(); i++) {
            String next = common.peek();
            while (!left.isEmpty() && !Parts.item(left.element(), topology).equals(next)) {
                takeOver(left.remove(), both, topology, merged);
            }
            if (wanted.get(i).equals(next)) {
                common.remove();
                left.poll();
            }
            merged.add(merge(path, present.getOrDefault(wanted.get(i), MissingNode.getInstance()), applied.path(i), topology.item()));
        }
        left.forEach(item -> takeOver(item, both, topology, merged));
        return merged;
    }

    private static void takeOver(JsonNode live, Set<String> both, Topology topology, ArrayNode merged) {
        if (!both.contains(Parts.item(live, topology))) {
            merged.add(live);
        }
    }
}
