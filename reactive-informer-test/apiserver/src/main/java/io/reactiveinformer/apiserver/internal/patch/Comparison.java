package io.reactiveinformer.apiserver.internal.patch;

import io.reactiveinformer.apiserver.internal.schema.Topology;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.MissingNode;

/**
 * The differences of two states of an object: values that were added, changed or removed; of structures that merge, the differences of
 * their parts.
 */
public final class Comparison {

    private final Set<List<String>> set = new HashSet<>();
    private final Set<List<String>> removed = new HashSet<>();

    private Comparison() {}

    /**
     * Compares two whole objects.
     *
     * @param topology the merge strategy of both
     */
    public static Comparison of(JsonNode before, JsonNode now, Topology topology) {
        var comparison = new Comparison();
        comparison.parts(List.of(), before, now, topology);
        return comparison;
    }

    /** The fields that are new or have another value. */
    public FieldSet set() {
        return new FieldSet(set);
    }

    /** The fields that were removed. */
    public FieldSet removed() {
        return new FieldSet(removed);
    }

    /** @param before missing if the value was added; {@code now} is missing if it was removed */
    private void compare(List<String> path, JsonNode before, JsonNode now, Topology topology) {
        if (before.equals(now)) {
            return;
        }
        boolean isWhole = isWhole(before, now, topology);
        if (!isWhole) {
            parts(path, before, now, topology);
        }
        if (now.isMissingNode()) {
            removed.add(path);
        } else if (isWhole || before.isMissingNode()) {
            set.add(path);
        }
    }

    /** Whether two values differ as a whole. Two empty ones do too: in whether they are present. */
    private static boolean isWhole(JsonNode before, JsonNode now, Topology topology) {
        if (before.isEmpty() && now.isEmpty() || before.isObject() && now.isArray() || before.isArray() && now.isObject()) {
            return true;
        }
        boolean isScalar = before.isValueNode() && !before.isNull() || now.isValueNode() && !now.isNull();
        return isScalar || (before.isObject() || now.isObject() ? topology.isAtomic() : !Parts.mergesItems(topology));
    }

    private void parts(List<String> path, JsonNode before, JsonNode now, Topology topology) {
        Map<String, JsonNode> was = Parts.of(before, topology);
        Map<String, JsonNode> is = Parts.of(now, topology);
        Set<String> steps = new LinkedHashSet<>(is.keySet());
        steps.addAll(was.keySet());
        for (String step : steps) {
            JsonNode former = was.getOrDefault(step, MissingNode.getInstance());
            JsonNode next = is.getOrDefault(step, MissingNode.getInstance());
            if (!former.equals(next)) {
                Topology part = Parts.topology(topology, step);
                compare(FieldSet.below(path, step), implied(former, before, part, next), implied(next, now, part, former), part);
            }
        }
    }

    /** The value; empty, not missing, if every such object has this part. */
    private static JsonNode implied(JsonNode value, JsonNode parent, Topology topology, JsonNode other) {
        if (!value.isMissingNode() || !parent.isObject() || !topology.isAlwaysThere()) {
            return value;
        }
        return other.isObject() ? JsonNodeFactory.instance.objectNode() : JsonNodeFactory.instance.nullNode();
    }
}
