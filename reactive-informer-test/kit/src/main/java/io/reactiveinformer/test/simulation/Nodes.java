package io.reactiveinformer.test.simulation;

import io.reactiveinformer.apiserver.ClusterObjects;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Nodes, and whether they are ready. */
final class Nodes {

    private Nodes() {}

    static String node(String name) {
        return """
                apiVersion: v1
                kind: Node
                metadata: {name: %1$s, labels: {kubernetes.io/hostname: %1$s}}
                spec: {}
                status:
                  conditions: [{type: Ready, status: "True", reason: KubeletReady}]
                  nodeInfo: {kubeletVersion: v1.36.2}
                """.formatted(name);
    }

    static boolean isReady(JsonNode node) {
        return ready(node).path("status").asString("").equals("True");
    }

    /** The node's {@code Ready} condition; missing if there is none. */
    private static JsonNode ready(JsonNode node) {
        JsonNode conditions = node.path("status").path("conditions");
        for (JsonNode condition : conditions) {
            if (condition.path("type").asString("").equals("Ready")) {
                return condition;
            }
        }
        return conditions.path("Ready"); // a list has no such property
    }

    static List<String> ready(ClusterObjects cluster) {
        return cluster.list(Types.NODES).stream().filter(Nodes::isReady).map(node -> Types.key(node).name()).toList();
    }

    /** Loses a ready node, with its pods, or brings a lost one back. The last ready node stays. */
    static void toggle(ClusterObjects cluster, ObjectNode node) {
        boolean lost = isReady(node);
        if (lost && ready(cluster).size() < 2) {
            return;
        }
        cluster.edit(Types.NODES, Types.key(node), changed -> {
            if (ready(changed) instanceof ObjectNode condition) {
                condition.put("status", lost ? "Unknown" : "True").put("reason", lost ? "NodeStatusUnknown" : "KubeletReady");
            }
            return changed;
        });
        if (lost) {
            String name = Types.key(node).name();
            for (ObjectNode pod : cluster.list(Types.PODS)) {
                if (pod.path("spec").path("nodeName").asString("").equals(name) && !Types.isLeaving(pod)) {
                    cluster.delete(Types.PODS, Types.key(pod));
                }
            }
        }
    }
}
