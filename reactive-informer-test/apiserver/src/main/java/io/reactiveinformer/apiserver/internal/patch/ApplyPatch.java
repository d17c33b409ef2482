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

/** Server-side apply as a function: what merges is merged as the type says (null adds nothing to it), and all else is as applied, null too. */
public final class ApplyPatch {

    private ApplyPatch() {}

    /** @throws PatchException if an item is applied twice under one key */
    public static ObjectNode apply(ObjectNode live, ObjectNode applied, Topology topology) {
        return (ObjectNode) merge("", live, applied, topology);
    }

    /**
     * What was merged, without what was applied last time and is no longer. A structure goes, with all that is in it, unless somebody claims a part of
     * it; an item of a list, or what a map has under a key, goes unless somebody claims that it is there.
     *
     * @param claimed by all managers, with what is applied now
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
                boolean keepsAll = field.getValue().isNull() && !was.isEmpty() && (was.isArray() ? ItemKeys.merges(part) : !part.isAtomic());
                merged.set(name, keepsAll ? was : merge(path + "." + name, was, field.getValue(), part));
            });
            return merged;
        }
        return applied.isArray() && ItemKeys.merges(topology) ? items(path, live, applied, topology) : applied.deepCopy();
    }

    /** Those of both come in the order in which they are applied; those of one side keep their place before the next one of both. */
    private static ArrayNode items(String path, JsonNode live, JsonNode applied, Topology topology) {
        Map<String, JsonNode> present = new HashMap<>();
        Deque<JsonNode> left = new ArrayDeque<>();
        for (JsonNode item : live) {
            left.add(item);
            present.merge(ItemKeys.of(item, topology), item, (one, other) -> MissingNode.getInstance()); // of two, neither is merged with
        }
        List<String> wanted = applied.valueStream().map(item -> ItemKeys.of(item, topology)).toList();
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
            while (!left.isEmpty() && !ItemKeys.of(left.element(), topology).equals(next)) {
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
        if (!both.contains(ItemKeys.of(live, topology))) {
            merged.add(live);
        }
    }
}
