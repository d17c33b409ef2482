package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.schema.Quantities;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Applies the LimitRanges of a namespace to its new pods and to its claims: fills in resources, and refuses what is out of bounds.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/policy/limit-range/">Limit ranges</a>
 */
final class LimitRanges {

    private final Cluster cluster;

    LimitRanges(Cluster cluster) {
        this.cluster = cluster;
    }

    /** The limits of each LimitRange of the object's namespace. */
    private List<JsonNode> of(JsonNode object) {
        ResourceDefinition type = cluster.types().find("", "limitranges").orElseThrow();
        return cluster.list(type, Selection.namespace(Json.text(object, "metadata", "namespace")), null).objects().stream()
                .map(range -> range.tree().path("spec").path("limits")).toList();
    }

    private static Stream<JsonNode> ofContainers(JsonNode limits) {
        return limits.valueStream().filter(limit -> Json.text(limit, "type").equals("Container"));
    }

    /** The defaults of a LimitRange: from the largest amount to the default, from that to the default request. */
    static void defaults(JsonNode range) {
        ofContainers(range.path("spec").path("limits")).forEach(limit -> {
            fillIn(limit, "default", limit.path("max"));
            fillIn(limit, "defaultRequest", limit.path("default"));
            fillIn(limit, "defaultRequest", limit.path("min"));
        });
    }

    /** Fills in what {@code object} has not under {@code field}. Returns the names that were filled in. */
    private static List<String> fillIn(JsonNode object, String field, JsonNode amounts) {
        List<String> missing = amounts.propertyNames().stream().filter(name -> !object.path(field).has(name)).sorted().toList();
        missing.forEach(name -> Json.child((ObjectNode) object, field).set(name, amounts.path(name)));
        return missing;
    }

    /** Fills in the defaults of a new pod. */
    void fillIn(ResourceDefinition type, ObjectNode pod) {
        for (JsonNode limits : type.qualified().equals("pods") ? of(pod) : List.<JsonNode>of()) {
            List<String> notes = new ArrayList<>();
            for (String containers : PodDefaults.CONTAINERS) {
                for (JsonNode container : pod.path("spec").path(containers)) {
                    String whose = (containers.equals("containers") ? "" : "init ") + "container " + Json.text(container, "name");
                    ObjectNode resources = Json.child((ObjectNode) container, "resources");
                    for (String field : List.of("request", "limit")) {
                        String names = String.join(", ", ofContainers(limits).flatMap(limit -> fillIn(resources, field + "s",
                                limit.path(field.equals("limit") ? "default" : "defaultRequest")).stream()).toList());
                        notes.addAll(names.isEmpty() ? List.of() : List.of(names + " " + field + " for " + whose));
                    }
                }
            }
            if (!notes.isEmpty()) {
                Json.child(Json.child(pod, "metadata"), "annotations")
                        .put("kubernetes.io/limit-ranger", "LimitRanger plugin set: " + String.join("; ", notes));
            }
        }
    }

    /** Refuses a new pod, or a claim, that is out of bounds. */
    void check(ResourceDefinition type, JsonNode object) {
        boolean claim = type.qualified().equals("persistentvolumeclaims");
        for (JsonNode limits : claim || type.qualified().equals("pods") ? of(object) : List.<JsonNode>of()) {
            Set<String> wrong = new LinkedHashSet<>();
            for (JsonNode limit : limits) {
                switch (Json.text(limit, "type")) {
                    case "Container" -> PodDefaults.CONTAINERS.forEach(containers -> object.path("spec").path(containers)
                            .forEach(container -> check(limit, container.path("resources"), wrong)));
                    case "Pod", "PersistentVolumeClaim" -> {
                        if (claim == Json.text(limit, "type").equals("PersistentVolumeClaim")) {
                            check(limit, claim ? object.path("spec").path("resources") : total(object.path("spec")), wrong);
                        }
                    }
                    default -> { }
                }
            }
            if (!wrong.isEmpty()) {
                String why = wrong.size() == 1 ? wrong.iterator().next() : wrong.toString();
                throw ApiFailure.forbidden(type, Json.text(object, "metadata", "name"), why);
            }
        }
    }

    private static ObjectNode total(JsonNode spec) {
        ObjectNode total = Json.object();
        for (String which : List.of("requests", "limits")) {
            total(spec, which, false).forEach((name, amount) ->
                    Json.child(total, which).put(name, Quantities.text(amount, !name.equals("cpu"))));
        }
        return total;
    }

    private static void check(JsonNode limit, JsonNode resources, Set<String> wrong) {
        String kind = Json.text(limit, "type");
        for (String bound : List.of("min", "max")) {
            boolean requestFirst = bound.equals("min") || kind.equals("PersistentVolumeClaim");
            List<String> order = requestFirst ? List.of("request", "limit") : List.of("limit", "request");
            limit.path(bound).properties().forEach(each -> {
                String usage = bound + "imum " + each.getKey() + " usage per " + kind + " is " + each.getValue().asString();
                if (!resources.path(order.get(0) + "s").has(each.getKey())) {
                    wrong.add(usage + ".  No " + order.get(0) + " is specified");
                    return;
                }
                BigDecimal most = Quantities.value(each.getValue().asString());
                int beyond = bound.equals("min") ? -1 : 1;
                order.stream().filter(which -> resources.path(which + "s").has(each.getKey())
                                && amount(resources, which, each.getKey()).compareTo(most) == beyond)
                        .findFirst().ifPresent(which -> wrong.add(usage + ", but " + which + " is "
                                + Json.text(resources, which + "s", each.getKey())));
            });
        }
        limit.path("maxLimitRequestRatio").properties().forEach(each -> {
            String usage = each.getKey() + " max limit to request ratio per " + kind + " is " + each.getValue().asString() + ", but ";
            BigDecimal request = amount(resources, "request", each.getKey());
            BigDecimal most = amount(resources, "limit", each.getKey());
            if (request.signum() == 0 || most.signum() == 0) {
                String none = request.signum() == 0 ? "request" : "limit";
                wrong.add(usage + "no " + none + " is specified or " + none + " is 0");
            } else if (most.compareTo(request.multiply(Quantities.value(each.getValue().asString()))) > 0) {
                wrong.add(usage + "provided ratio is " + String.format(Locale.ROOT, "%f", most.doubleValue() / request.doubleValue()));
            }
        });
    }

    private static BigDecimal amount(JsonNode resources, String which, String name) {
        return Quantities.value(Json.text(resources, which + "s", name));
    }

    /**
     * What a pod as a whole asks for: what it says, or its containers together, or what starts before them if that is more.
     *
     * @param which {@code requests} or {@code limits}
     * @param quota whether a quota counts it, with its overhead
     */
    static Map<String, BigDecimal> total(JsonNode spec, String which, boolean quota) {
        Map<String, BigDecimal> sum = new TreeMap<>();
        Map<String, BigDecimal> sidecars = new TreeMap<>();
        Map<String, BigDecimal> most = new TreeMap<>();
        spec.path("containers").forEach(container -> add(sum, container.path("resources").path(which)));
        for (JsonNode init : spec.path("initContainers")) {
            Map<String, BigDecimal> running = Json.text(init, "restartPolicy").equals("Always") ? sidecars : new TreeMap<>(sidecars);
            add(running, init.path("resources").path(which));
            running.forEach((name, amount) -> most.merge(name, amount, BigDecimal::max));
        }
        sidecars.forEach((name, amount) -> sum.merge(name, amount, BigDecimal::add));
        most.forEach((name, amount) -> sum.merge(name, amount, BigDecimal::max));
        spec.path("resources").path(which).properties().stream()
                .filter(each -> List.of("cpu", "memory").contains(each.getKey()) || quota && each.getKey().startsWith("hugepages-"))
                .forEach(each -> sum.put(each.getKey(), Quantities.value(each.getValue().asString(""))));
        Map<String, BigDecimal> overhead = new TreeMap<>();
        add(overhead, quota ? spec.path("overhead") : Json.object());
        overhead.keySet().removeIf(name -> which.equals("limits") && sum.getOrDefault(name, BigDecimal.ZERO).signum() == 0);
        overhead.forEach((name, amount) -> sum.merge(name, amount, BigDecimal::add));
        return sum;
    }

    private static void add(Map<String, BigDecimal> sum, JsonNode amounts) {
        amounts.properties().forEach(each -> sum.merge(each.getKey(), Quantities.value(each.getValue().asString("")), BigDecimal::add));
    }
}
