package io.reactiveinformer.test.simulation;

import io.reactiveinformer.apiserver.ClusterObjects;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Binds each unbound pod to the fitting node with the fewest pods. Marks a pod that fits no node as unschedulable. */
final class PodScheduler implements Workload {

    @Override
    public void move(ClusterObjects cluster, Random random) {
        List<ObjectNode> pods = cluster.list(Types.PODS);
        List<ObjectNode> nodes = cluster.list(Types.NODES);
        Map<String, Integer> load = new HashMap<>();
        pods.stream().filter(pod -> !PodStatus.isOver(pod)).forEach(pod -> load.merge(node(pod), 1, Integer::sum));
        for (ObjectNode pod : pods) {
            if (!Types.isLeaving(pod) && node(pod).isEmpty() && isForTheDefaultScheduler(pod)) {
                Optional<String> best = nodes.stream()
                        .filter(node -> fits(pod, node))
                        .map(node -> Types.key(node).name())
                        .min(Comparator.comparing((String name) -> load.getOrDefault(name, 0)).thenComparing(Comparator.naturalOrder()));
                best.ifPresent(name -> load.merge(name, 1, Integer::sum));
                cluster.edit(Types.PODS, Types.key(pod), changed -> best.isPresent()
                        ? bound(changed, best.get()) : unschedulable(changed, nodes.size()));
            }
        }
    }

    static String node(JsonNode pod) {
        return pod.path("spec").path("nodeName").asString("");
    }

    private static boolean isForTheDefaultScheduler(JsonNode pod) {
        return pod.path("spec").path("schedulerName").asString("default-scheduler").equals("default-scheduler");
    }

    private static boolean fits(JsonNode pod, JsonNode node) {
        return Nodes.isReady(node)
                && !node.path("spec").path("unschedulable").asBoolean(false)
                && pod.path("spec").path("nodeSelector").properties().stream()
                        .allMatch(label -> label.getValue().equals(node.path("metadata").path("labels").path(label.getKey())));
    }

    /** The pod, bound to {@code node} unless it has been bound meanwhile. */
    static ObjectNode bound(ObjectNode pod, String node) {
        if (!node(pod).isEmpty()) {
            return pod;
        }
        ((ObjectNode) pod.path("spec")).put("nodeName", node);
        PodStatus.condition(pod, "PodScheduled", true, "", "");
        return pod;
    }

    static ObjectNode unschedulable(ObjectNode pod, int nodes) {
        if (!node(pod).isEmpty()) {
            return pod;
        }
        PodStatus.condition(pod, "PodScheduled", false, "Unschedulable", "0/" + nodes + " nodes are available.");
        return pod;
    }
}
