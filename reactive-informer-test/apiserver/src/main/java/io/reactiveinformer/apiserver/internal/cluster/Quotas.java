package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.schema.Quantities;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * Applies the ResourceQuotas of a namespace to what is created in it, and keeps the usage in their status. Within writes.
 *
 * @see <a href="https://kubernetes.io/docs/concepts/policy/resource-quotas/">Resource quotas</a>
 */
final class Quotas {

    /** The types that a quota counts by their name alone. */
    private static final Set<String> COUNTED = Set.of(
            "pods", "services", "replicationcontrollers", "resourcequotas", "secrets", "configmaps", "persistentvolumeclaims");

    /** What each container must ask for if a quota limits it. */
    private static final List<String> ASKED_FOR =
            List.of("cpu", "limits.cpu", "limits.memory", "memory", "requests.cpu", "requests.memory");

    private final Cluster cluster;

    Quotas(Cluster cluster) {
        this.cluster = cluster;
    }

    private List<StoredObject> of(@Nullable String namespace) {
        return namespace == null || namespace.isEmpty() ? List.of()
                : cluster.list(cluster.types().find("", "resourcequotas").orElseThrow(), Selection.namespace(namespace), null).objects();
    }

    /**
     * Refuses an object that exceeds a quota.
     *
     * @param old null for a creation; after that only claims and services can use more
     */
    void check(ResourceDefinition type, @Nullable JsonNode old, JsonNode object) {
        if (old != null && !type.qualified().equals("persistentvolumeclaims") && !type.qualified().equals("services")) {
            return;
        }
        String namespace = Json.text(object, "metadata", "namespace");
        for (StoredObject stored : of(namespace)) {
            JsonNode spec = stored.tree().path("spec");
            JsonNode hard = spec.path("hard");
            Map<String, BigDecimal> more = usage(spec, type, object);
            if (!more.isEmpty() && type.qualified().equals("pods")) {
                require(stored.name(), hard, object, type);
            }
            if (old != null) {
                usage(spec, type, old).forEach((name, before) -> more.computeIfPresent(name, (same, now) -> now.subtract(before)));
            }
            more.values().removeIf(amount -> amount.signum() <= 0);
            Map<String, BigDecimal> used = more.isEmpty() ? Map.of() : used(spec, namespace);
            more.keySet().removeIf(name -> used.getOrDefault(name, BigDecimal.ZERO).add(more.get(name)).compareTo(limit(hard, name)) <= 0);
            if (!more.isEmpty()) {
                Map<String, BigDecimal> limits = more.keySet().stream().collect(Collectors.toMap(name -> name, name -> limit(hard, name)));
                throw ApiFailure.forbidden(type, Json.text(object, "metadata", "name"), "exceeded quota: " + stored.name()
                        + ", requested: " + shown(more.keySet(), more, hard) + ", used: " + shown(more.keySet(), used, hard)
                        + ", limited: " + shown(more.keySet(), limits, hard));
            }
        }
    }

    private static BigDecimal limit(JsonNode hard, String name) {
        return Quantities.value(hard.path(name).asString(""));
    }

    private static String shown(Set<String> names, Map<String, BigDecimal> amounts, JsonNode hard) {
        return names.stream().sorted().map(name -> name + "=" + text(hard, name, amounts.getOrDefault(name, BigDecimal.ZERO)))
                .collect(Collectors.joining(","));
    }

    private static String text(JsonNode hard, String name, BigDecimal amount) {
        return Quantities.text(amount, hard.path(name).asString("").endsWith("i"));
    }

    private static void require(String quota, JsonNode hard, JsonNode pod, ResourceDefinition type) {
        Map<String, Set<String>> missing = new TreeMap<>();
        for (String containers : PodDefaults.CONTAINERS) {
            for (JsonNode container : pod.path("spec").path(containers)) {
                ASKED_FOR.stream().filter(name -> hard.has(name) && !container.path("resources")
                                .path(name.startsWith("limits.") ? "limits" : "requests").has(name.substring(name.indexOf('.') + 1)))
                        .forEach(name -> missing.computeIfAbsent(name, each -> new TreeSet<>()).add(Json.text(container, "name")));
            }
        }
        if (!missing.isEmpty() && pod.path("spec").path("resources").isEmpty()) {
            throw ApiFailure.forbidden(type, Json.text(pod, "metadata", "name"), "failed quota: " + quota + ": must specify "
                    + missing.entrySet().stream().map(each -> each.getKey() + " for: " + String.join(",", each.getValue()))
                            .collect(Collectors.joining("; ")));
        }
    }

    /** Stores the present usage in the status of the namespace's quotas, where it has changed. */
    void refresh(@Nullable String namespace) {
        for (StoredObject stored : of(namespace)) {
            ObjectNode quota = stored.tree();
            fillIn(stored.type(), quota);
            if (!quota.equals(stored.tree())) {
                cluster.store(stored.type(), quota);
            }
        }
    }

    /** Fills in the status of a quota that is to be stored. */
    void fillIn(ResourceDefinition type, ObjectNode quota) {
        if (type.qualified().equals("resourcequotas")) {
            JsonNode hard = quota.path("spec").path("hard");
            Map<String, BigDecimal> amounts = used(quota.path("spec"), Json.text(quota, "metadata", "namespace"));
            ObjectNode status = quota.putObject("status");
            status.set("hard", hard);
            ObjectNode used = status.putObject("used");
            hard.propertyNames().forEach(name -> used.put(name, text(hard, name, amounts.getOrDefault(name, BigDecimal.ZERO))));
        }
    }

    private Map<String, BigDecimal> used(JsonNode spec, String namespace) {
        Map<String, BigDecimal> sum = new TreeMap<>();
        for (ResourceDefinition type : cluster.types().stored()) {
            if (type.namespaced() && (COUNTED.contains(type.qualified()) || spec.path("hard").has("count/" + type.qualified()))) {
                cluster.list(type, Selection.namespace(namespace), null).objects().forEach(object ->
                        usage(spec, type, object.storedTree()).forEach((name, amount) -> sum.merge(name, amount, BigDecimal::add)));
            }
        }
        return sum;
    }

    /** What an object uses of a quota; nothing if the quota is not about it. */
    private static Map<String, BigDecimal> usage(JsonNode quota, ResourceDefinition type, JsonNode object) {
        Map<String, BigDecimal> usage = new TreeMap<>();
        Stream<JsonNode> scopes = Stream.concat(
                quota.path("scopes").valueStream().map(name -> Json.object().put("operator", "Exists").set("scopeName", name)),
                quota.path("scopeSelector").path("matchExpressions").valueStream());
        JsonNode spec = object.path("spec");
        if (!scopes.allMatch(scope -> type.qualified().equals("pods") && isIn(scope, spec))) {
            return usage;
        }
        usage.put("count/" + type.qualified(), BigDecimal.ONE);
        if (COUNTED.contains(type.qualified())) {
            usage.put(type.qualified(), BigDecimal.ONE);
        }
        switch (type.qualified()) {
            case "pods" -> {
                String phase = Json.text(object, "status", "phase");
                if (phase.equals("Succeeded") || phase.equals("Failed")) {
                    usage.remove("pods");
                } else {
                    PodResources.total(spec, "requests").forEach((name, amount) -> {
                        usage.put(name, amount);
                        usage.put("requests." + name, amount);
                    });
                    PodResources.total(spec, "limits").forEach((name, amount) -> usage.put("limits." + name, amount));
                }
            }
            case "services" -> {
                boolean balanced = Json.text(spec, "type").equals("LoadBalancer");
                usage.put("services.loadbalancers", balanced ? BigDecimal.ONE : BigDecimal.ZERO);
                usage.put("services.nodeports", BigDecimal.valueOf(
                        balanced || Json.text(spec, "type").equals("NodePort") ? spec.path("ports").size() : 0));
            }
            case "persistentvolumeclaims" -> {
                BigDecimal storage = Quantities.value(Json.text(spec, "resources", "requests", "storage"));
                String ofClass = Json.text(spec, "storageClassName") + ".storageclass.storage.k8s.io/";
                usage.putAll(Map.of("requests.storage", storage, ofClass + "requests.storage", storage,
                        ofClass + "persistentvolumeclaims", BigDecimal.ONE));
            }
            default -> { }
        }
        usage.keySet().retainAll(quota.path("hard").propertyNames());
        return usage;
    }

    private static boolean isBestEffort(JsonNode pod) {
        return Stream.of("cpu", "memory").noneMatch(PodResources.total(pod, "requests")::containsKey);
    }

    private static boolean isIn(JsonNode scope, JsonNode pod) {
        return switch (Json.text(scope, "scopeName")) {
            case "Terminating" -> pod.path("activeDeadlineSeconds").isNumber();
            case "NotTerminating" -> !pod.path("activeDeadlineSeconds").isNumber();
            case "BestEffort" -> isBestEffort(pod);
            case "NotBestEffort" -> !isBestEffort(pod);
            case "PriorityClass" -> {
                String priority = Json.text(pod, "priorityClassName");
                boolean among = BuiltInTypes.strings(scope.path("values")).contains(priority);
                yield switch (Json.text(scope, "operator")) {
                    case "In" -> among;
                    case "NotIn" -> !among;
                    case "Exists" -> !priority.isEmpty();
                    default -> priority.isEmpty();
                };
            }
            default -> false;
        };
    }
}
