package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.Json;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;

import static java.util.Map.entry;

/** The cells of printed tables, as {@code cells.txt} names them: templates with fields of the object, and functions. */
final class Cells {

    private static final String NONE = "<none>";
    private static final Pattern FIELD = Pattern.compile("\\{([#&]?)([^|}]*)(?:\\|([^}]*))?}");

    private static final Map<String, BiFunction<JsonNode, Instant, String>> FUNCTIONS = Map.ofEntries(
            of("endpoints", Cells::endpoints),
            of("nodeStatus", Cells::nodeStatus),
            of("roles", Cells::roles),
            of("kernel", node -> {
                JsonNode info = node.path("status").path("nodeInfo");
                String architecture = Json.text(info, "architecture");
                return orElse(Json.text(info, "kernelVersion"), "<unknown>") + (architecture.isEmpty() ? "" : " (" + architecture + ")");
            }),
            of("phase", object -> object.path("metadata").has("deletionTimestamp") ? "Terminating" : Json.text(object, "status", "phase")),
            of("boundModes", claim -> modes(Json.text(claim, "spec", "volumeName").isEmpty() ? Json.object() : claim.path("status"))),
            of("modes", volume -> modes(volume.path("spec"))),
            of("claim", volume -> volume.path("spec").has("claimRef")
                    ? text(volume, "{spec.claimRef.namespace}/{spec.claimRef.name}") : ""),
            of("ready", PodCells::ready),
            of("podStatus", PodCells::status),
            entry("restarts", PodCells::restarts),
            of("gates", PodCells::gates),
            of("requests", quota -> quota(quota, false)),
            of("limits", quota -> quota(quota, true)),
            of("externalIp", Cells::externalIp),
            of("ports", service -> orElse(join(service.path("spec").path("ports"), port -> port.path("port").asInt(0)
                    + (port.path("nodePort").asInt(0) == 0 ? "" : ":" + port.path("nodePort").asInt(0))
                    + "/" + orElse(Json.text(port, "protocol"), "TCP")), NONE)),
            of("service", api -> api.path("spec").has("service") ? text(api, "{spec.service.namespace}/{spec.service.name}") : "Local"),
            of("controller", Cells::controller),
            of("targets", Targets::of),
            of("minPods", scaler -> text(scaler, "{spec.minReplicas|<unset>}")),
            of("suspend", job -> job.path("spec").path("suspend").asBoolean(false) ? "True" : "False"),
            entry("lastSchedule", (job, now) -> {
                String last = Json.text(job, "status", "lastScheduleTime");
                return last.isEmpty() ? NONE : Ages.since(last, now);
            }),
            of("jobStatus", Cells::jobStatus),
            of("completions", job -> text(job, "{status.succeeded|0}/") + (job.path("spec").has("completions")
                    ? text(job, "{spec.completions}") : job.path("spec").path("parallelism").asInt(0) > 1
                    ? text(job, "1 of {spec.parallelism}") : "1")),
            entry("jobDuration", Cells::jobDuration),
            of("requestedDuration", request -> request.path("spec").has("expirationSeconds")
                    ? Ages.of(Duration.ofSeconds(request.path("spec").path("expirationSeconds").asLong(0))) : NONE),
            of("requestStatus", Cells::requestStatus),
            of("parameters", type -> type.path("spec").has("parameters")
                    ? text(type, "{spec.parameters.kind}.{spec.parameters.apiGroup}/{spec.parameters.name}").replace("./", "/") : NONE),
            of("hosts", ingress -> orElse(shown(ingress.path("spec").path("rules").valueStream().map(rule -> Json.text(rule, "host"))
                    .filter(host -> !host.isEmpty()).toList()), "*")),
            of("addresses", Cells::balancers),
            of("ingressPorts", ingress -> ingress.path("spec").path("tls").isEmpty() ? "80" : "80, 443"),
            of("minAvailable", budget -> text(budget, "{spec.minAvailable|N/A}")),
            of("maxUnavailable", budget -> text(budget, "{spec.maxUnavailable|N/A}")),
            of("users", binding -> subjects(binding, "User")),
            of("groups", binding -> subjects(binding, "Group")),
            of("serviceAccounts", binding -> subjects(binding, "ServiceAccount")),
            of("defaultable", type -> text(type, "{metadata.name}") + (type.path("metadata").path("annotations")
                    .path("storageclass.kubernetes.io/is-default-class").asString("").equals("true") ? " (default)" : "")),
            of("paramKind", policy -> policy.path("spec").has("paramKind")
                    ? text(policy, "{spec.paramKind.apiVersion}/{spec.paramKind.kind}") : "<unset>"),
            of("paramRef", binding -> Json.text(binding, "spec", "paramRef", "name").isEmpty() ? "<unset>"
                    : text(binding, "{spec.paramRef.namespace|*}/{spec.paramRef.name}")),
            of("slicePorts", slice -> orElse(shown(slice.path("ports").valueStream()
                    .map(port -> text(port, port.has("port") ? "{port}" : "{name|*}")).toList()), "<unset>")),
            of("sliceEndpoints", slice -> orElse(shown(slice.path("endpoints").valueStream()
                    .flatMap(endpoint -> endpoint.path("addresses").valueStream().map(JsonNode::asString)).toList()), "<unset>")),
            of("claimState", claim -> Stream.of(
                            claim.path("metadata").has("deletionTimestamp") ? "deleted" : "",
                            claim.path("status").has("allocation") ? "allocated"
                                    : claim.path("metadata").has("deletionTimestamp") ? "" : "pending",
                            claim.path("status").path("reservedFor").isEmpty() ? "" : "reserved")
                    .filter(state -> !state.isEmpty()).collect(Collectors.joining(","))));

    private Cells() {}

    /** The function that fills cells as this line of {@code cells.txt} says. */
    static BiFunction<JsonNode, Instant, JsonNode> of(String cell) {
        if (cell.equals("!data")) {
            return (tree, now) -> IntNode.valueOf(tree.path("data").size() + tree.path("binaryData").size());
        }
        if (cell.startsWith("!")) {
            BiFunction<JsonNode, Instant, String> function = Objects.requireNonNull(FUNCTIONS.get(cell.substring(1)), cell);
            return (tree, now) -> Column.string(function.apply(tree, now));
        }
        var field = FIELD.matcher(cell);
        return field.matches() ? (tree, now) -> value(tree, field.group(1), field.group(2), field.group(3))
                : (tree, now) -> Column.string(text(tree, cell));
    }

    private static Map.Entry<String, BiFunction<JsonNode, Instant, String>> of(String name, Function<JsonNode, String> cell) {
        return entry(name, (tree, now) -> cell.apply(tree));
    }

    private static String text(JsonNode tree, String template) {
        return FIELD.matcher(template).replaceAll(field -> Matcher.quoteReplacement(
                value(tree, field.group(1), field.group(2), field.group(3)).asString()));
    }

    private static JsonNode value(JsonNode tree, String kind, String path, @Nullable String otherwise) {
        int all = path.indexOf("[*]");
        JsonNode found = SimplePath.find(tree, all < 0 ? path : path.substring(0, all));
        if (all >= 0) {
            found = Column.string(join(found, item -> SimplePath.find(item, path.substring(all + 3)).asString("")));
        }
        if (kind.equals("#")) {
            return IntNode.valueOf(found.size());
        }
        if (kind.equals("&")) {
            return Column.string(orElse(Scales.selector(found), NONE));
        }
        if (!found.isMissingNode() && !found.isNull() && !(found.isString() && found.asString().isEmpty())) {
            return found;
        }
        String text = otherwise == null ? "" : otherwise;
        return text.matches("\\d+|true|false") ? Json.read(text) : Column.string(text);
    }

    private static String join(JsonNode array, Function<JsonNode, String> item) {
        return array.valueStream().map(item).collect(Collectors.joining(","));
    }

    /** The first three of a list. */
    private static String shown(List<String> list) {
        int more = list.size() - 3;
        return String.join(",", more > 0 ? list.subList(0, 3) : list) + (more > 0 ? " + " + more + " more..." : "");
    }

    private static String endpoints(JsonNode endpoints) {
        List<String> found = new ArrayList<>();
        for (JsonNode subset : endpoints.path("subsets")) {
            List<String> addresses = subset.path("addresses").valueStream().map(address -> Json.text(address, "ip")).toList();
            if (subset.path("ports").isEmpty()) {
                found.addAll(addresses);
            }
            subset.path("ports").forEach(port -> addresses.forEach(address ->
                    found.add((address.contains(":") ? "[" + address + "]" : address) + ":" + port.path("port").asInt(0))));
        }
        return orElse(shown(found), NONE);
    }

    private static String nodeStatus(JsonNode node) {
        String ready = Json.text(SimplePath.find(node, "status.conditions[?(@.type==\"Ready\")]"), "status");
        return (ready.isEmpty() ? "Unknown" : ready.equals("True") ? "Ready" : "NotReady")
                + (node.path("spec").path("unschedulable").asBoolean(false) ? ",SchedulingDisabled" : "");
    }

    private static String roles(JsonNode node) {
        String prefix = "node-role.kubernetes.io/";
        return orElse(node.path("metadata").path("labels").properties().stream()
                .map(label -> label.getKey().startsWith(prefix) ? label.getKey().substring(prefix.length())
                        : label.getKey().equals("kubernetes.io/role") ? label.getValue().asString() : "")
                .filter(role -> !role.isEmpty()).sorted().distinct().collect(Collectors.joining(",")), NONE);
    }

    private static String modes(JsonNode from) {
        Set<String> modes = from.path("accessModes").valueStream().map(JsonNode::asString).collect(Collectors.toSet());
        return Stream.of("ReadWriteOnce:RWO", "ReadOnlyMany:ROX", "ReadWriteMany:RWX", "ReadWriteOncePod:RWOP")
                .map(mode -> mode.split(":", -1)).filter(mode -> modes.contains(mode[0])).map(mode -> mode[1])
                .collect(Collectors.joining(","));
    }

    private static String quota(JsonNode quota, boolean limits) {
        JsonNode used = quota.path("status").path("used");
        return quota.path("status").path("hard").properties().stream()
                .filter(hard -> hard.getKey().startsWith("limits.") == limits).sorted(Map.Entry.comparingByKey())
                .map(hard -> hard.getKey() + ": " + used.path(hard.getKey()).asString("0") + "/" + hard.getValue().asString())
                .collect(Collectors.joining(", "));
    }

    private static String externalIp(JsonNode service) {
        String own = join(service.path("spec").path("externalIPs"), JsonNode::asString);
        String type = Json.text(service, "spec", "type");
        if (type.equals("ExternalName")) {
            return Json.text(service, "spec", "externalName");
        }
        String balancers = type.equals("LoadBalancer") ? balancers(service) : "";
        String all = Stream.of(balancers, own).filter(each -> !each.isEmpty()).collect(Collectors.joining(","));
        return orElse(all, type.equals("LoadBalancer") ? "<pending>" : NONE);
    }

    private static String balancers(JsonNode object) {
        return object.path("status").path("loadBalancer").path("ingress").valueStream()
                .map(ingress -> text(ingress, "{ip}").isEmpty() ? text(ingress, "{hostname}") : text(ingress, "{ip}"))
                .sorted().distinct().collect(Collectors.joining(","));
    }

    private static String controller(JsonNode object) {
        JsonNode owner = SimplePath.find(object, "metadata.ownerReferences[?(@.controller==true)]");
        String group = Json.text(owner, "apiVersion").replaceFirst("/?[^/]*$", "");
        return owner.isMissingNode() ? NONE : Json.text(owner, "kind").toLowerCase(Locale.ROOT) + (group.isEmpty() ? "" : "." + group)
                + "/" + Json.text(owner, "name");
    }

    /** The status of a job. Conditions of its end win over those of an end that is about to come. */
    private static String jobStatus(JsonNode job) {
        Set<String> conditions = job.path("status").path("conditions").valueStream()
                .filter(condition -> Json.text(condition, "status").equals("True"))
                .map(condition -> Json.text(condition, "type"))
                .collect(Collectors.toSet());
        if (job.path("metadata").has("deletionTimestamp")) {
            conditions.add("Terminating");
        }
        return Stream.of("Complete", "Failed", "Terminating", "Suspended", "FailureTarget", "SuccessCriteriaMet")
                .filter(conditions::contains)
                .findFirst()
                .orElse("Running");
    }

    private static String jobDuration(JsonNode job, Instant now) {
        String end = Json.text(job, "status", "completionTime");
        String start = Json.text(job, "status", "startTime");
        return start.isEmpty() ? "" : Ages.since(start, end.isEmpty() ? now : Instant.parse(end));
    }

    private static String requestStatus(JsonNode request) {
        Set<String> types = request.path("status").path("conditions").valueStream().map(condition -> Json.text(condition, "type"))
                .collect(Collectors.toSet());
        return (types.contains("Denied") ? "Denied" : types.contains("Approved") ? "Approved" : "Pending")
                + (types.contains("Failed") ? ",Failed" : "") + (Json.text(request, "status", "certificate").isEmpty() ? "" : ",Issued");
    }

    private static String subjects(JsonNode binding, String kind) {
        return binding.path("subjects").valueStream().filter(subject -> Json.text(subject, "kind").equals(kind))
                .map(subject -> text(subject, kind.equals("ServiceAccount") ? "{namespace}/{name}" : "{name}"))
                .collect(Collectors.joining(", "));
    }

    private static String orElse(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }
}
