package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.schema.Quantities;
import java.util.List;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import static io.reactiveinformer.apiserver.internal.cluster.Defaults.absent;

/** The defaults that the server fills in for pods. */
final class PodDefaults {

    static final List<String> CONTAINERS = List.of("containers", "initContainers");
    private static final List<String> COMPUTE = List.of("cpu", "memory");

    private PodDefaults() {}

    static void status(ObjectNode pod) {
        absent(Json.child(pod, "status"), "qosClass", qualityOfService(pod.path("spec")));
    }

    /** Guaranteed if each container limits, and requests no less of, cpu and memory. */
    private static String qualityOfService(JsonNode spec) {
        List<JsonNode> resources = Stream.concat(CONTAINERS.stream().flatMap(list -> spec.path(list).valueStream()), Stream.of(spec))
                .map(each -> each.path("resources")).toList();
        boolean whole = spec.path("resources").has("limits");
        boolean guaranteed = resources.stream().skip(whole ? resources.size() - 1 : 0).limit(whole ? 1 : resources.size() - 1)
                .allMatch(each -> COMPUTE.stream().allMatch(name -> each.path("limits").has(name)
                        && Quantities.value(each.path("limits").path(name).asString("0")).compareTo(Quantities.value(
                                each.path("requests").path(name).asString(each.path("limits").path(name).asString("0")))) == 0));
        boolean any = resources.stream().flatMap(each -> Stream.of(each.path("limits"), each.path("requests")))
                .anyMatch(each -> COMPUTE.stream().anyMatch(each::has));
        return !any ? "BestEffort" : guaranteed ? "Guaranteed" : "Burstable";
    }

    /** What templates of pods do not get. */
    static void ofThePodAlone(ObjectNode spec) {
        for (String containers : CONTAINERS) {
            for (JsonNode container : spec.path(containers)) {
                JsonNode resources = container.path("resources");
                resources.path("limits").properties().forEach(limit ->
                        absent(Json.child((ObjectNode) resources, "requests"), limit.getKey(), limit.getValue().asString()));
                container.path("ports").valueStream().filter(port -> spec.path("hostNetwork").asBoolean(false) && port.isObject()
                        && port.path("hostPort").asInt(0) == 0)
                        .forEach(port -> ((ObjectNode) port).set("hostPort", port.path("containerPort")));
            }
        }
        if (!spec.hasNonNull("enableServiceLinks")) {
            spec.put("enableServiceLinks", true);
        }
    }


    static void admit(ObjectNode pod) {
        ObjectNode spec = Json.child(pod, "spec");
        for (String taint : List.of("node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable")) {
            if (spec.path("tolerations").valueStream().noneMatch(each -> List.of("", "NoExecute").contains(Json.text(each, "effect"))
                    && List.of("", taint).contains(Json.text(each, "key")))) {
                spec.withArray("tolerations").addObject().put("key", taint).put("operator", "Exists").put("effect", "NoExecute")
                        .put("tolerationSeconds", 300);
            }
        }
        absent(spec, "preemptionPolicy", "PreemptLowerPriority");
    }
}
