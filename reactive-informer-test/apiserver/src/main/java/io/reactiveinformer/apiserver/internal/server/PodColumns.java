package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import java.util.List;
import tools.jackson.databind.JsonNode;

/** The columns of pods. */
final class PodColumns {

    private static final String NONE = "<none>";

    static final List<Column> COLUMNS = List.of(
            Column.named(),
            Column.text("Ready", PodColumns::ready).described("The aggregate readiness state of this pod for accepting traffic."),
            Column.text("Status", PodColumns::status).described("The aggregate status of the containers in this pod."),
            Column.text("Restarts", PodColumns::restarts)
                    .described("The number of times the containers in this pod have been restarted and when the last container in this "
                            + "pod has restarted."),
            Column.age(),
            Column.text("IP", pod -> orNone(Json.text(pod, "status", "podIP")))
                    .described("podIP address allocated to the pod. Routable at least within the cluster. Empty if not yet allocated.")
                    .wide(),
            Column.text("Node", pod -> orNone(Json.text(pod, "spec", "nodeName")))
                    .described("NodeName indicates in which node this pod is scheduled. If empty, this pod is a candidate for scheduling "
                            + "by the scheduler defined in schedulerName. Once this field is set, the kubelet for this node becomes "
                            + "responsible for the lifecycle of this pod. This field should not be used to express a desire for the pod "
                            + "to be scheduled on a specific node. "
                            + "https://kubernetes.io/docs/concepts/scheduling-eviction/assign-pod-node/#nodename")
                    .wide(),
            Column.text("Nominated Node", pod -> orNone(Json.text(pod, "status", "nominatedNodeName")))
                    .described("nominatedNodeName is set only when this pod preempts other pods on the node, but it cannot be scheduled "
                            + "right away as preemption victims receive their graceful termination periods. This field does not guarantee "
                            + "that the pod will be scheduled on this node. Scheduler may decide to place the pod elsewhere if other "
                            + "nodes become available sooner. Scheduler may also decide to give the resources on this node to a higher "
                            + "priority pod that is created after preemption. As a result, this field may be different than "
                            + "PodSpec.nodeName when the pod is scheduled.")
                    .wide(),
            Column.text("Readiness Gates", pod -> NONE)
                    .described("If specified, all readiness gates will be evaluated for pod readiness. A pod is ready when all its "
                            + "containers are ready AND all conditions specified in the readiness gates have status equal to \"True\" "
                            + "More info: https://git.k8s.io/enhancements/keps/sig-network/580-pod-readiness-gates")
                    .wide());

    private PodColumns() {}

    private static String ready(JsonNode pod) {
        int ready = 0;
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            ready += container.path("ready").asBoolean(false) ? 1 : 0;
        }
        return ready + "/" + pod.path("spec").path("containers").size();
    }

    private static String status(JsonNode pod) {
        String status = Json.text(pod, "status", "reason");
        if (status.isEmpty()) {
            status = Json.text(pod, "status", "phase");
        }
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            String waiting = Json.text(container, "state", "waiting", "reason");
            String terminated = Json.text(container, "state", "terminated", "reason");
            status = !waiting.isEmpty() ? waiting : !terminated.isEmpty() ? terminated : status;
        }
        return pod.path("metadata").has("deletionTimestamp") ? "Terminating" : status;
    }

    private static String restarts(JsonNode pod) {
        int restarts = 0;
        for (JsonNode container : pod.path("status").path("containerStatuses")) {
            restarts += container.path("restartCount").asInt(0);
        }
        return Integer.toString(restarts);
    }

    private static String orNone(String text) {
        return text.isEmpty() ? NONE : text;
    }
}
