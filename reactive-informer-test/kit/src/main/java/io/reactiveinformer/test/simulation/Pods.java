package io.reactiveinformer.test.simulation;

import io.reactiveinformer.apiserver.ClusterObjects;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The scheduler and kubelet of the simulation's own controllers: bind pods, start and restart them. */
final class Pods {

    private static final int SLOWNESS = 3;

    private Pods() {}

    static boolean isReady(JsonNode pod) {
        JsonNode container = pod.path("status").path("containerStatuses").path(0);
        return container.path("ready").asBoolean(false) && !Types.isLeaving(pod);
    }

    /** One step of each pod that is not ready; at random, two in three wait for a later call. */
    static void step(ClusterObjects cluster, Random random) {
        List<String> nodes = Nodes.ready(cluster);
        for (ObjectNode pod : cluster.list(Types.PODS)) {
            if (Types.isLeaving(pod) || isReady(pod) || random.nextInt(SLOWNESS) != 0) {
                continue;
            }
            if (!pod.path("spec").has("nodeName")) {
                if (!nodes.isEmpty()) {
                    String node = nodes.get(random.nextInt(nodes.size()));
                    cluster.edit(Types.PODS, Types.key(pod), changed -> bound(changed, node));
                }
            } else {
                cluster.edit(Types.PODS, Types.key(pod), changed -> started(changed, random));
            }
        }
    }

    private static ObjectNode bound(ObjectNode pod, String node) {
        ((ObjectNode) pod.path("spec")).put("nodeName", node);
        condition(pod, "PodScheduled", true);
        return pod;
    }

    private static ObjectNode started(ObjectNode pod, Random random) {
        ObjectNode status = (ObjectNode) pod.path("status");
        status.put("phase", "Running");
        if (!status.has("podIP")) {
            status.put("podIP", "10." + random.nextInt(256) + "." + random.nextInt(256) + "." + random.nextInt(1, 255));
        }
        containers(pod, true, null, restarts(pod));
        condition(pod, "Ready", true);
        return pod;
    }

    /** The pod with containers that have failed and wait for a restart. */
    static ObjectNode failed(ObjectNode pod, Random random) {
        containers(pod, false, random.nextBoolean() ? "CrashLoopBackOff" : "Error", restarts(pod) + 1);
        condition(pod, "Ready", false);
        return pod;
    }

    private static int restarts(JsonNode pod) {
        return pod.path("status").path("containerStatuses").path(0).path("restartCount").asInt(0);
    }

    private static void containers(ObjectNode pod, boolean ready, @Nullable String waiting, int restarts) {
        ArrayNode statuses = ((ObjectNode) pod.path("status")).putArray("containerStatuses");
        for (JsonNode container : pod.path("spec").path("containers")) {
            ObjectNode status = statuses.addObject()
                    .put("name", container.path("name").asString(""))
                    .put("ready", ready)
                    .put("restartCount", restarts)
                    .put("image", container.path("image").asString(""));
            ObjectNode state = status.putObject("state");
            if (waiting == null) {
                state.putObject("running");
            } else {
                state.putObject("waiting").put("reason", waiting);
            }
        }
    }

    private static void condition(ObjectNode pod, String type, boolean isTrue) {
        ArrayNode conditions = ((ObjectNode) pod.path("status")).withArray("conditions");
        for (JsonNode condition : conditions) {
            if (condition.path("type").asString("").equals(type)) {
                ((ObjectNode) condition).put("status", isTrue ? "True" : "False");
                return;
            }
        }
        conditions.addObject().put("type", type).put("status", isTrue ? "True" : "False");
    }
}
