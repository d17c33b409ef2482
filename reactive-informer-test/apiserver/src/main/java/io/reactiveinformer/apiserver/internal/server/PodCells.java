package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import java.time.Instant;
import tools.jackson.databind.JsonNode;

/** How many containers of a pod are ready, how often they were restarted, and the reason that is shown as the status of the pod. */
final class PodCells {

    private int total;
    private int ready;
    private int restarts;
    private String lastRestart = "";
    private String reason;

    PodCells(JsonNode pod) {
        JsonNode status = pod.path("status");
        total = pod.path("spec").path("containers").size();
        reason = Json.text(status, "reason").isEmpty() ? Json.text(status, "phase") : Json.text(status, "reason");
        if (condition(pod, "PodScheduled").path("reason").asString("").equals("SchedulingGated")) {
            reason = "SchedulingGated";
        }
        boolean initializing = initialize(pod);
        if (!initializing || isTrue(pod, "Initialized")) {
            run(pod);
        }
        boolean ended = Json.text(status, "phase").equals("Succeeded") || Json.text(status, "phase").equals("Failed");
        if (pod.path("metadata").has("deletionTimestamp") && !ended) {
            reason = Json.text(status, "reason").equals("NodeLost") ? "Unknown" : "Terminating";
        }
    }

    static String ready(JsonNode pod) {
        var cells = new PodCells(pod);
        return cells.ready + "/" + cells.total;
    }

    static String status(JsonNode pod) {
        return new PodCells(pod).reason;
    }

    static String restarts(JsonNode pod, Instant now) {
        var cells = new PodCells(pod);
        boolean known = cells.restarts != 0 && !cells.lastRestart.isEmpty();
        return cells.restarts + (known ? " (" + Ages.since(cells.lastRestart, now) + " ago)" : "");
    }

    static String gates(JsonNode pod) {
        JsonNode gates = pod.path("spec").path("readinessGates");
        long open = gates.valueStream().filter(gate -> isTrue(pod, Json.text(gate, "conditionType"))).count();
        return gates.isEmpty() ? "<none>" : open + "/" + gates.size();
    }

    /** Whether a container that runs before the others has not ended yet. */
    private boolean initialize(JsonNode pod) {
        JsonNode containers = pod.path("spec").path("initContainers");
        total += (int) containers.valueStream().filter(PodCells::isSidecar).count();
        JsonNode statuses = pod.path("status").path("initContainerStatuses");
        int sidecarRestarts = 0;
        for (int i = 0; i < statuses.size(); i++) {
            JsonNode container = statuses.get(i);
            String name = Json.text(container, "name");
            boolean sidecar = containers.valueStream().anyMatch(each -> Json.text(each, "name").equals(name) && isSidecar(each));
            restarted(container);
            sidecarRestarts += sidecar ? container.path("restartCount").asInt(0) : 0;
            JsonNode terminated = container.path("state").path("terminated");
            String waiting = Json.text(container, "state", "waiting", "reason");
            if (terminated.isObject() && terminated.path("exitCode").asInt(0) == 0) {
                continue;
            }
            if (sidecar && container.path("started").asBoolean(false)) {
                ready += container.path("ready").asBoolean(false) ? 1 : 0;
                continue;
            }
            reason = "Init:" + (terminated.isObject() ? end(terminated)
                    : waiting.isEmpty() || waiting.equals("PodInitializing") ? i + "/" + containers.size() : waiting);
            return true;
        }
        restarts = sidecarRestarts;
        return false;
    }

    private void run(JsonNode pod) {
        JsonNode statuses = pod.path("status").path("containerStatuses");
        boolean running = false;
        String failure = "";
        for (int i = statuses.size() - 1; i >= 0; i--) {
            JsonNode container = statuses.get(i);
            restarted(container);
            JsonNode terminated = container.path("state").path("terminated");
            String waiting = Json.text(container, "state", "waiting", "reason");
            if (!waiting.isEmpty()) {
                reason = waiting;
            } else if (terminated.isObject()) {
                reason = end(terminated);
                failure = terminated.path("exitCode").asInt(0) == 0 ? failure : reason;
            } else if (container.path("ready").asBoolean(false) && container.path("state").has("running")) {
                running = true;
                ready++;
            }
        }
        if (reason.equals("Completed")) {
            reason = running && isTrue(pod, "Ready") ? "Running" : !failure.isEmpty() ? failure : running ? "NotReady" : reason;
        }
    }

    private void restarted(JsonNode container) {
        restarts += container.path("restartCount").asInt(0);
        String end = Json.text(container, "lastState", "terminated", "finishedAt");
        lastRestart = end.compareTo(lastRestart) > 0 ? end : lastRestart;
    }

    private static String end(JsonNode terminated) {
        String reason = Json.text(terminated, "reason");
        int signal = terminated.path("signal").asInt(0);
        return !reason.isEmpty() ? reason : signal != 0 ? "Signal:" + signal : "ExitCode:" + terminated.path("exitCode").asInt(0);
    }

    private static boolean isSidecar(JsonNode container) {
        return Json.text(container, "restartPolicy").equals("Always");
    }

    private static boolean isTrue(JsonNode pod, String condition) {
        return condition(pod, condition).path("status").asString("").equals("True");
    }

    private static JsonNode condition(JsonNode pod, String type) {
        return SimplePath.find(pod, "status.conditions[?(@.type==\"" + type + "\")]");
    }
}
