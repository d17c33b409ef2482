package io.reactiveinformer.apiserver.internal.cluster;

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
            service(cluster, type, old == null ? Json.object() : old.path("spec"), (ObjectNode) assigned.path("spec"));
            return assigned;
        }
        return tree;
    }

    private static void service(Cluster cluster, ResourceDefinition type, JsonNode old, ObjectNode spec) {
        String kind = Json.text(spec, "type");
        if (kind.equals("ExternalName")) {
            if (!Json.text(old, "type").equals(kind)) {
                spec.remove(List.of("clusterIP", "clusterIPs", "ipFamilies", "ipFamilyPolicy"));
            }
            return;
        }
        List<JsonNode> others = cluster.list(type, Selection.namespace(null), null).objects().stream()
                .map(service -> service.storedTree().path("spec")).toList();
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
            ports(Stream.concat(others.stream(), Stream.of(spec)), old, spec);
        }
    }

    private static void ports(Stream<JsonNode> services, JsonNode old, ObjectNode spec) {
        Set<Integer> taken = services.flatMap(each -> each.path("ports").valueStream()).map(port -> port.path("nodePort").asInt(0))
                .collect(Collectors.toSet());
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
}
