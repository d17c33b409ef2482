package io.reactiveinformer.apiserver.internal.cluster;

import java.util.List;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static io.reactiveinformer.apiserver.internal.cluster.Defaults.absent;

/** The defaults that the server fills in for pods. */
final class PodDefaults {

    static final List<String> CONTAINERS = List.of("containers", "initContainers");

    private PodDefaults() {}

    static void apply(ObjectNode pod) {
        specification(pod);
        ObjectNode status = Json.child(pod, "status");
        absent(status, "phase", "Pending");
        absent(status, "qosClass", "BestEffort");
    }

    /** Without those of the status. */
    static void specification(ObjectNode pod) {
        ObjectNode spec = Json.child(pod, "spec");
        template(spec);
        for (String containers : CONTAINERS) {
            spec.path(containers).forEach(container -> container.path("resources").path("limits").properties().forEach(limit ->
                    absent(Json.child((ObjectNode) container.path("resources"), "requests"), limit.getKey(), limit.getValue().asString())));
        }
        absentFlag(spec, "enableServiceLinks");
    }

    static void admit(ObjectNode pod) {
        ObjectNode spec = Json.child(pod, "spec");
        if (!spec.has("tolerations")) {
            var tolerations = spec.putArray("tolerations");
            for (String taint : new String[] {"not-ready", "unreachable"}) {
                tolerations
                        .addObject()
                        .put("key", "node.kubernetes.io/" + taint)
                        .put("operator", "Exists")
                        .put("effect", "NoExecute")
                        .put("tolerationSeconds", 300);
            }
        }
        spec.put("priority", 0);
        absent(spec, "preemptionPolicy", "PreemptLowerPriority");
    }

    /** The defaults that a pod template gets too. */
    private static void template(ObjectNode spec) {
        for (JsonNode container : spec.path("containers")) {
            if (container instanceof ObjectNode object) {
                container(object);
            }
        }
        protocols(spec);
        absent(spec, "restartPolicy", "Always");
        if (!spec.has("terminationGracePeriodSeconds")) {
            spec.put("terminationGracePeriodSeconds", 30);
        }
        absent(spec, "dnsPolicy", "ClusterFirst");
        Json.child(spec, "securityContext");
        absent(spec, "schedulerName", "default-scheduler");
    }

    private static void container(ObjectNode container) {
        Json.child(container, "resources");
        absent(container, "terminationMessagePath", "/dev/termination-log");
        absent(container, "terminationMessagePolicy", "File");
        String image = Json.text(container, "image");
        boolean latest = image.endsWith(":latest") || image.lastIndexOf(':') <= image.lastIndexOf('/');
        absent(container, "imagePullPolicy", latest ? "Always" : "IfNotPresent");
    }

    /** Of the ports of all containers. */
    static void protocols(JsonNode spec) {
        for (String containers : CONTAINERS) {
            for (JsonNode container : spec.path(containers)) {
                for (JsonNode port : container.path("ports")) {
                    if (port instanceof ObjectNode object) {
                        absent(object, "protocol", "TCP");
                    }
                }
            }
        }
    }

    private static void absentFlag(ObjectNode object, String field) {
        if (!object.has(field)) {
            object.put(field, true);
        }
    }
}
