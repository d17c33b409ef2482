package io.reactiveinformer.test.simulation;

import io.reactiveinformer.apiserver.ClusterObjects;
import java.util.Comparator;
import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** Keeps as many pods as each ReplicaSet wants: creates or deletes one per step and ReplicaSet. */
final class ReplicaSets {

    private ReplicaSets() {}

    static void step(ClusterObjects cluster) {
        List<ObjectNode> pods = cluster.list(Types.PODS);
        for (ObjectNode set : cluster.list(Types.REPLICA_SETS)) {
            List<ObjectNode> own = pods.stream().filter(pod -> Types.isOwnedBy(set, pod) && !Types.isLeaving(pod)).toList();
            int wanted = Types.replicas(set);
            if (own.size() < wanted && !Types.isLeaving(set)) {
                cluster.create(pod(set));
            } else if (own.size() > wanted) {
                own.stream().min(Comparator.comparing(PodStatus::isReady)).ifPresent(pod -> cluster.delete(Types.PODS, Types.key(pod)));
            }
            status(cluster, set, own);
        }
    }

    private static void status(ClusterObjects cluster, ObjectNode set, List<ObjectNode> own) {
        int ready = (int) own.stream().filter(PodStatus::isReady).count();
        Types.edit(cluster, Types.REPLICA_SETS, set, changed -> {
            ObjectNode status = changed.withObject("/status");
            status.put("replicas", own.size()).put("readyReplicas", ready).put("availableReplicas", ready);
            status.set("observedGeneration", set.path("metadata").path("generation"));
            return changed;
        });
    }

    private static ObjectNode pod(JsonNode set) {
        JsonNode template = set.path("spec").path("template");
        ObjectNode pod = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1").put("kind", "Pod");
        ObjectNode metadata = pod.putObject("metadata")
                .put("generateName", Types.key(set).name() + "-")
                .put("namespace", Types.key(set).namespace());
        metadata.set("labels", template.path("metadata").path("labels").deepCopy());
        Types.addOwner(metadata, set);
        pod.set("spec", template.path("spec").deepCopy());
        return pod;
    }
}
