package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The addresses and ports that the server assigns to services; no client owns them. */
final class ServiceAddresses {

    private static final int FIRST_PORT = 30_000;
    private static final int LAST_PORT = 32_767;
    private static final int ADDRESSES = 65_000;

    private ServiceAddresses() {}

    /**
     * The service with what was assigned to it; an object of another type as it is.
     *
     * @param old the state that is replaced; null for a new object
     */
    static ObjectNode assign(Cluster cluster, ResourceDefinition type, @Nullable JsonNode old, ObjectNode tree) {
        if (type.qualified().equals("services") && tree.path("spec").isObject()) {
            ObjectNode assigned = tree.deepCopy();
            service(cluster, type, Json.text(tree, "metadata", "name"), old == null ? Json.object() : old.path("spec"),
                    (ObjectNode) assigned.path("spec"));
            return assigned;
        }
        return tree;
    }

    private static void service(Cluster cluster, ResourceDefinition type, String name, JsonNode old, ObjectNode spec) {
        String kind = Json.text(spec, "type");
        if (kind.equals("ExternalName")) {
            if (!Json.text(old, "type").equals(kind)) {
                spec.remove(List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"));
            }
            return;
        }
        List<JsonNode> others = cluster.list(type, Selection.namespace(null), null).objects().stream()
                .map(service -> service.storedTree().path("spec")).toList();
        if (old.has("clusterIP") && !Json.text(spec, "clusterIP").isEmpty() && !old.path("clusterIP").equals(spec.path("clusterIP"))
                && old.path("clusterIPs").equals(spec.path("clusterIPs"))) {
            spec.putArray("clusterIPs").add(spec.path("clusterIP"));
        }
        for (String kept : List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy")) {
            if (spec.path(kept).isEmpty() && Json.text(spec, kept).isEmpty() && old.has(kept)) {
                spec.set(kept, old.path(kept));
            }
        }
        if (Json.text(spec, "clusterIP").isEmpty()) {
            Set<String> taken = others.stream().map(each -> Json.text(each, "clusterIP")).collect(Collectors.toSet());
            spec.put("clusterIP", IntStream.range(10, ADDRESSES).mapToObj(i -> "10.96." + i / 254 + "." + (i % 254 + 1))
                    .filter(address -> !taken.contains(address)).findFirst().orElseThrow());
        }
        if (spec.path("clusterIPs").isEmpty()) {
            spec.putArray("clusterIPs").add(Json.text(spec, "clusterIP"));
        }
        if (spec.path("ipFamilies").isEmpty()) {
            spec.putArray("ipFamilies").add(Json.text(spec, "clusterIP").contains(":") ? "IPv6" : "IPv4");
        }
        Defaults.absent(spec, "ipFamilyPolicy", "SingleStack");
        if (kind.equals("NodePort") || kind.equals("LoadBalancer") && spec.path("allocateLoadBalancerNodePorts").asBoolean(true)) {
            ports(name, others.stream(), old, spec);
        }
    }

    private static void ports(String name, Stream<JsonNode> services, JsonNode old, ObjectNode spec) {
        Set<Integer> own = numbers(Stream.of(old));
        Set<Integer> taken = numbers(services);
        taken.removeAll(own);
        for (int i = 0; i < spec.path("ports").size(); i++) {
            JsonNode port = spec.path("ports").path(i);
            int sent = port.path("nodePort").asInt(0);
            String wrong = sent < FIRST_PORT || sent > LAST_PORT ? "provided port is not in the valid range. The range of valid ports is "
                    + FIRST_PORT + "-" + LAST_PORT : taken.contains(sent) ? "provided port is already allocated" : "";
            if (sent != 0 && !wrong.isEmpty() && !own.contains(sent)) {
                throw ApiFailure.invalid("", "Service", name, List.of(new Problem("FieldValueInvalid",
                        "Invalid value: " + sent + ": " + wrong, "spec.ports[" + i + "].nodePort")));
            }
        }
        taken.addAll(own);
        taken.addAll(numbers(Stream.of(spec)));
        for (JsonNode port : spec.path("ports")) {
            if (port instanceof ObjectNode object && port.path("nodePort").asInt(0) == 0) {
                int before = old.path("ports").valueStream()
                        .filter(each -> List.of("port", "protocol").stream().allMatch(field -> each.path(field).equals(port.path(field))))
                        .mapToInt(each -> each.path("nodePort").asInt(0)).findFirst().orElse(0);
                int next = before != 0 ? before
                        : IntStream.rangeClosed(FIRST_PORT, LAST_PORT).filter(each -> !taken.contains(each)).findFirst().orElseThrow();
                object.put("nodePort", next);
                taken.add(next);
            }
        }
    }

    private static Set<Integer> numbers(Stream<JsonNode> services) {
        return services.flatMap(each -> each.path("ports").valueStream()).map(port -> port.path("nodePort").asInt(0))
                .collect(Collectors.toSet());
    }
}
