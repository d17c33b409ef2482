package io.reactiveinformer.test.simulation;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.function.Consumer;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** The status of a pod, as a kubelet writes it. */
final class PodStatus {

    private PodStatus() {}

    static String phase(JsonNode pod) {
        return pod.path("status").path("phase").asString("");
    }

    /** Whether its containers have ended and are not restarted. */
    static boolean isOver(JsonNode pod) {
        return phase(pod).equals("Succeeded") || phase(pod).equals("Failed");
    }

    /** Whether its containers are ready, and it is not being deleted. */
    static boolean isReady(JsonNode pod) {
        return pod.path("status").path("containerStatuses").path(0).path("ready").asBoolean(false) && !Types.isLeaving(pod);
    }

    static int restarts(JsonNode pod) {
        return pod.path("status").path("containerStatuses").path(0).path("restartCount").asInt(0);
    }

    static ObjectNode running(ObjectNode pod, String ip, Instant now, int restarts) {
        ObjectNode status = status(pod).put("phase", "Running").put("hostIP", "192.0.2.1").put("podIP", ip);
        status.putArray("podIPs").addObject().put("ip", ip);
        if (!status.has("startTime")) {
            status.put("startTime", text(now));
        }
        containers(pod, true, restarts, state -> state.putObject("running").put("startedAt", text(now)));
        ready(pod, true, "");
        return pod;
    }

    /** The pod with containers that have failed and wait for a restart. */
    static ObjectNode crashed(ObjectNode pod) {
        return waiting(pod, "CrashLoopBackOff", "back-off restarting failed container", restarts(pod) + 1);
    }

    static ObjectNode waiting(ObjectNode pod, String reason, String message, int restarts) {
        containers(pod, false, restarts, state -> state.putObject("waiting").put("reason", reason).put("message", message));
        ready(pod, false, "ContainersNotReady");
        return pod;
    }

    static ObjectNode ended(ObjectNode pod, boolean success, Instant now) {
        status(pod).put("phase", success ? "Succeeded" : "Failed");
        containers(pod, false, restarts(pod), state -> state.putObject("terminated")
                .put("exitCode", success ? 0 : 1)
                .put("reason", success ? "Completed" : "Error")
                .put("finishedAt", text(now)));
        ready(pod, false, success ? "PodCompleted" : "PodFailed");
        return pod;
    }

    private static void ready(ObjectNode pod, boolean ready, String reason) {
        condition(pod, "Initialized", true, "", "");
        for (String type : List.of("ContainersReady", "Ready")) {
            condition(pod, type, ready, reason, "");
        }
    }

    /** Sets a condition, in place if there is one of this type. */
    static void condition(ObjectNode pod, String type, boolean isTrue, String reason, String message) {
        ArrayNode conditions = status(pod).withArray("conditions");
        ObjectNode condition = null;
        for (JsonNode each : conditions) {
            condition = each.path("type").asString("").equals(type) ? (ObjectNode) each : condition;
        }
        condition = condition == null ? conditions.addObject().put("type", type) : condition;
        condition.put("status", isTrue ? "True" : "False").remove(List.of("reason", "message"));
        if (!reason.isEmpty()) {
            condition.put("reason", reason);
        }
        if (!message.isEmpty()) {
            condition.put("message", message);
        }
    }

    private static void containers(ObjectNode pod, boolean ready, int restarts, Consumer<ObjectNode> state) {
        ArrayNode statuses = status(pod).putArray("containerStatuses");
        for (JsonNode container : pod.path("spec").path("containers")) {
            ObjectNode status = statuses.addObject()
                    .put("name", container.path("name").asString(""))
                    .put("image", container.path("image").asString(""))
                    .put("ready", ready)
                    .put("started", ready)
                    .put("restartCount", restarts);
            state.accept(status.putObject("state"));
        }
    }

    private static ObjectNode status(ObjectNode pod) {
        return pod.withObject("/status");
    }

    private static String text(Instant time) {
        return time.truncatedTo(ChronoUnit.SECONDS).toString();
    }
}
