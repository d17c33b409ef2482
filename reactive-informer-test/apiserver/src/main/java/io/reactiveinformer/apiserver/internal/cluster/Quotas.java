package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.schema.Quantities;
import java.math.BigDecimal;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
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
     * @param old null for a creation; after that only claims and services can use more, and pods that come into another scope
     */
    void check(ResourceDefinition type, @Nullable JsonNode old, JsonNode object) {
        if (old != null && !type.qualified().equals("persistentvolumeclaims") && !type.qualified().equals("services")
                && (!type.qualified().equals("pods") || isTerminating(old.path("spec")) == isTerminating(object.path("spec")))) {
            return;
        }
        for (StoredObject stored : of(Json.text(object, "metadata", "namespace"))) {
            JsonNode spec = stored.tree().path("spec");
            Map<String, BigDecimal> more = usage(spec, type, object);
            String missing = more.isEmpty() || !type.qualified().equals("pods") ? "" : missing(spec.path("hard"), object.path("spec"));
            if (!missing.isEmpty()) {
                throw ApiFailure.forbidden(type, Json.text(object, "metadata", "name"), "failed quota: " + stored.name()
                        + ": must specify " + missing);
            }
            if (old != null) {
                usage(spec, type, old).forEach((name, before) -> more.merge(name, before.negate(), BigDecimal::add));
            }
            more.values().removeIf(amount -> amount.signum() <= 0);
            Map<String, BigDecimal> used = more.isEmpty() ? Map.of() : used(spec, Json.text(object, "metadata", "namespace"));
            Map<String, BigDecimal> hard = new TreeMap<>();
            spec.path("hard").properties().forEach(limit -> hard.put(limit.getKey(), Quantities.value(limit.getValue().asString())));
            more.keySet().removeIf(name -> used.getOrDefault(name, BigDecimal.ZERO).add(more.get(name)).compareTo(hard.get(name)) <= 0);
            if (!more.isEmpty()) {
                throw ApiFailure.forbidden(type, Json.text(object, "metadata", "name"), "exceeded quota: " + stored.name() + ", requested: "
                        + shown(more, more, spec) + ", used: " + shown(more, used, spec) + ", limited: " + shown(more, hard, spec));
            }
        }
    }

    private static String shown(Map<String, BigDecimal> names, Map<String, BigDecimal> amounts, JsonNode spec) {
        return names.keySet().stream().map(name -> name + "=" + text(spec, name, amounts.getOrDefault(name, BigDecimal.ZERO))).collect(Collectors.joining(","));
    }

    /** The amount with suffixes of the kind that the quota has. */
    private static String text(JsonNode spec, String name, BigDecimal amount) {
        return Quantities.text(amount, Json.text(spec, "hard", name).endsWith("i"));
    }

    private static String missing(JsonNode hard, JsonNode pod) {
        Map<String, String> missing = new TreeMap<>();
        for (String name : pod.has("resources") ? List.<String>of() : ASKED_FOR) {
            String field = name.startsWith("limits.") ? "limits" : "requests";
            PodDefaults.CONTAINERS.stream().flatMap(containers -> pod.path(containers).valueStream())
                    .filter(each -> hard.has(name) && !each.path("resources").path(field).has(name.replaceFirst(".*\\.", "")))
                    .map(each -> Json.text(each, "name")).sorted()
                    .forEach(each -> missing.merge(name, each, (all, next) -> all + "," + next));
        }
        return missing.entrySet().stream().map(each -> each.getKey() + " for: " + each.getValue()).collect(Collectors.joining("; "));
    }

    /** Stores the present usage in the status of the quotas that count this object, which has changed. */
    void refresh(StoredObject changed) {
        for (StoredObject stored : of(changed.namespace())) {
            if (!counts(stored.storedTree().path("spec"), changed.type())) {
                continue;
            }
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
            ObjectNode status = quota.putObject("status");
            status.set("hard", quota.path("spec").path("hard"));
            ObjectNode used = status.putObject("used");
            used(quota.path("spec"), Json.text(quota, "metadata", "namespace"))
                    .forEach((name, amount) -> used.put(name, text(quota.path("spec"), name, amount)));
        }
    }

    /** The usage of all that the quota limits. */
    private Map<String, BigDecimal> used(JsonNode spec, String namespace) {
        Map<String, BigDecimal> sum = new TreeMap<>();
        spec.path("hard").propertyNames().forEach(name -> sum.put(name, BigDecimal.ZERO));
        for (ResourceDefinition type : cluster.types().stored()) {
            if (type.namespaced() && counts(spec, type)) {
                cluster.list(type, Selection.namespace(namespace), null).objects().forEach(object ->
                        usage(spec, type, object.storedTree()).forEach((name, amount) -> sum.merge(name, amount, BigDecimal::add)));
            }
        }
        return sum;
    }

    private static boolean counts(JsonNode quota, ResourceDefinition type) {
        return COUNTED.contains(type.qualified()) || quota.path("hard").has("count/" + type.qualified());
    }

    /** What an object uses of a quota; nothing if the quota is not about it. */
    private static Map<String, BigDecimal> usage(JsonNode quota, ResourceDefinition type, JsonNode object) {
        Map<String, BigDecimal> usage = new TreeMap<>();
        JsonNode spec = object.path("spec");
        boolean isIn = Stream.concat(quota.path("scopes").valueStream().map(name -> Json.object().set("scopeName", name)),
                quota.path("scopeSelector").path("matchExpressions").valueStream())
                .allMatch(scope -> type.qualified().equals("pods") && isIn(scope, spec));
        if (!isIn) {
            return usage;
        }
        usage.put("count/" + type.qualified(), BigDecimal.ONE);
        if (COUNTED.contains(type.qualified())) {
            usage.put(type.qualified(), BigDecimal.ONE);
        }
        switch (type.qualified()) {
            case "pods" -> {
                if (Set.of("Succeeded", "Failed").contains(Json.text(object, "status", "phase"))) {
                    usage.remove("pods");
                } else {
                    usage.putAll(LimitRanges.total(spec, "requests", true));
                    LimitRanges.total(spec, "requests", true).forEach((name, amount) -> usage.put("requests." + name, amount));
                    LimitRanges.total(spec, "limits", true).forEach((name, amount) -> usage.put("limits." + name, amount));
                }
            }
            case "services" -> {
                boolean balanced = Json.text(spec, "type").equals("LoadBalancer");
                boolean chosen = balanced && !spec.path("allocateLoadBalancerNodePorts").asBoolean(true);
                long ports = !balanced && !Json.text(spec, "type").equals("NodePort") ? 0
                        : spec.path("ports").valueStream().filter(port -> !chosen || port.path("nodePort").asInt(0) > 0).count();
                usage.put("services.loadbalancers", balanced ? BigDecimal.ONE : BigDecimal.ZERO);
                usage.put("services.nodeports", BigDecimal.valueOf(ports));
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

    private static boolean isTerminating(JsonNode pod) {
        return pod.path("activeDeadlineSeconds").isNumber();
    }

    private static boolean isIn(JsonNode scope, JsonNode pod) {
        boolean bestEffort = Stream.of("cpu", "memory").noneMatch(LimitRanges.total(pod, "requests", true)::containsKey);
        String priority = Json.text(pod, "priorityClassName");
        boolean among = BuiltInTypes.strings(scope.path("values")).contains(priority);
        return switch (Json.text(scope, "scopeName")) {
            case "Terminating" -> isTerminating(pod);
            case "NotTerminating" -> !isTerminating(pod);
            case "BestEffort" -> bestEffort;
            case "NotBestEffort" -> !bestEffort;
            case "PriorityClass" -> switch (Json.text(scope, "operator")) {
                case "In" -> among;
                case "NotIn" -> !among;
                case "DoesNotExist" -> priority.isEmpty();
                default -> !priority.isEmpty();
            };
            default -> false;
        };
    }
}
