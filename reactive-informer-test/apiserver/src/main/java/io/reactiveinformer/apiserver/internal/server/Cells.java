package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.EventForms;
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
import java.util.function.Predicate;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.StringNode;

import static java.util.Map.entry;

/** The cells of printed tables, as {@code cells.txt} names them: templates with fields of the object, and functions. */
final class Cells {

    private static final String NONE = "<none>";
    private static final Pattern FIELD = Pattern.compile("\\{([#&@+\"]?)([^|}]*)(?:\\|([^}]*))?}");

    private static final Pattern CHOICE = Pattern.compile("(\\S+) \\? (.*?) : ?(.*)");

    private static final Map<String, BiFunction<JsonNode, Instant, String>> FUNCTIONS = Map.ofEntries(
            of("endpoints", Cells::endpoints),
            of("nodeStatus", Cells::nodeStatus),
            of("roles", Cells::roles),
            of("eventObject", event -> joined("/", Json.text(EventForms.core(event), "involvedObject", "kind").toLowerCase(Locale.ROOT),
                    Json.text(EventForms.core(event), "involvedObject", "name"))),
            of("eventSource", Cells::source),
            of("eventMessage", event -> Json.text(EventForms.core(event), "message").strip()),
            of("boundModes", claim -> modes(Json.text(claim, "spec", "volumeName").isEmpty() ? Json.object() : claim.path("status"))),
            of("modes", volume -> modes(volume.path("spec"))),
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
            of("controller", Cells::controller),
            of("targets", Targets::of),
            of("jobStatus", Cells::jobStatus),
            of("completions", job -> text(job, "{status.succeeded|0}/") + (job.path("spec").has("completions")
                    ? text(job, "{spec.completions}") : job.path("spec").path("parallelism").asInt(0) > 1
                    ? text(job, "1 of {spec.parallelism}") : "1")),
            entry("jobDuration", Cells::jobDuration),
            of("requestedDuration", request -> request.path("spec").has("expirationSeconds")
                    ? Ages.of(Duration.ofSeconds(request.path("spec").path("expirationSeconds").asLong(0))) : NONE),
            of("requestStatus", Cells::requestStatus),
            of("addresses", Cells::balancers),
            of("users", binding -> subjects(binding, "User")),
            of("groups", binding -> subjects(binding, "Group")),
            of("serviceAccounts", binding -> subjects(binding, "ServiceAccount")),
            of("defaultable", type -> text(type, "{metadata.name}") + (type.path("metadata").path("annotations")
                    .path("storageclass.kubernetes.io/is-default-class").asString("").equals("true") ? " (default)" : "")),
            of("slicePorts", slice -> orElse(shown(slice.path("ports").valueStream()
                    .map(port -> text(port, port.has("port") ? "{port}" : "{name|*}")).toList()), "<unset>")),
            of("claimState", claim -> joined(",",
                            claim.path("metadata").has("deletionTimestamp") ? "deleted" : "",
                            claim.path("status").has("allocation") ? "allocated"
                                    : claim.path("metadata").has("deletionTimestamp") ? "" : "pending",
                            claim.path("status").path("reservedFor").isEmpty() ? "" : "reserved")));

    private Cells() {}

    /** The function that fills cells as this line of {@code cells.txt} says. */
    static BiFunction<JsonNode, Instant, JsonNode> of(String cell) {
        var choice = CHOICE.matcher(cell);
        if (choice.matches()) {
            var then = of(choice.group(2));
            var otherwise = of(choice.group(3));
            return (tree, now) -> (isSet(SimplePath.find(tree, choice.group(1))) ? then : otherwise).apply(tree, now);
        }
        if (cell.equals("!data")) {
            return (tree, now) -> IntNode.valueOf(tree.path("data").size() + tree.path("binaryData").size());
        }
        if (cell.startsWith("!")) {
            BiFunction<JsonNode, Instant, String> function = Objects.requireNonNull(FUNCTIONS.get(cell.substring(1)), cell);
            return (tree, now) -> StringNode.valueOf(function.apply(tree, now));
        }
        var field = FIELD.matcher(cell);
        return field.matches() ? (tree, now) -> value(tree, now, field) : (tree, now) -> StringNode.valueOf(text(tree, now, cell));
    }

    private static Map.Entry<String, BiFunction<JsonNode, Instant, String>> of(String name, Function<JsonNode, String> cell) {
        return entry(name, (tree, now) -> cell.apply(tree));
    }

    private static boolean isSet(JsonNode node) {
        return !node.isMissingNode() && !node.isNull() && !Set.of("", "0", "false").contains(node.asString("an object"));
    }

    private static String text(JsonNode tree, String template) {
        return text(tree, Instant.EPOCH, template);
    }

    private static String text(JsonNode tree, Instant now, String template) {
        return FIELD.matcher(template).replaceAll(field -> Matcher.quoteReplacement(value(tree, now, field).asString()));
    }

    private static JsonNode value(JsonNode tree, Instant now, MatchResult field) {
        String path = field.group(2);
        String otherwise = Objects.requireNonNullElse(field.group(3), "");
        JsonNode found = path.contains("[*]") ? StringNode.valueOf(all(tree, path).collect(Collectors.joining(",")))
                : SimplePath.find(tree, path);
        return switch (field.group(1)) {
            case "#" -> IntNode.valueOf(found.size());
            case "&" -> StringNode.valueOf(orElse(Scales.selector(found), NONE));
            case "@" -> StringNode.valueOf(Ages.since(found.asString(""), now));
            case "+" -> StringNode.valueOf(orElse(shown(all(tree, path).filter(text -> !text.isEmpty()).toList()), otherwise));
            case "\"" -> StringNode.valueOf(orElse(found.asString(""), otherwise));
            default -> !found.isMissingNode() && !found.isNull() && !(found.isString() && found.asString().isEmpty()) ? found
                    : otherwise.matches("\\d+|true|false") ? Json.read(otherwise) : StringNode.valueOf(otherwise);
        };
    }

    private static Stream<String> all(JsonNode tree, String path) {
        int list = path.indexOf("[*]");
        return list < 0 ? Stream.of(SimplePath.find(tree, path).asString(""))
                : SimplePath.find(tree, path.substring(0, list)).valueStream().flatMap(item -> all(item, path.substring(list + 3)));
    }

    private static String join(JsonNode array, Function<JsonNode, String> item) {
        return array.valueStream().map(item).collect(Collectors.joining(","));
    }

    private static String shown(List<String> list) {
        return shown(3, ",", list);
    }

    /** The first ones of a list, and how many there are besides. */
    static String shown(int most, String between, List<String> list) {
        int more = list.size() - most;
        return String.join(between, more > 0 ? list.subList(0, most) : list) + (more > 0 ? " + " + more + " more..." : "");
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

    private static String source(JsonNode tree) {
        JsonNode event = EventForms.core(tree);
        return joined(", ", text(event, event.path("source").has("component") ? "{source.component}" : "{reportingComponent}"),
                text(event, event.path("source").has("host") ? "{source.host}" : "{reportingInstance}"));
    }

    private static String joined(String between, String... parts) {
        return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(between));
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
        return orElse(joined(",", balancers, own), type.equals("LoadBalancer") ? "<pending>" : NONE);
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
        Set<String> conditions = conditions(job, condition -> Json.text(condition, "status").equals("True"));
        if (job.path("metadata").has("deletionTimestamp")) {
            conditions.add("Terminating");
        }
        return Stream.of("Complete", "Failed", "Terminating", "Suspended", "FailureTarget", "SuccessCriteriaMet")
                .filter(conditions::contains).findFirst().orElse("Running");
    }

    private static Set<String> conditions(JsonNode object, Predicate<JsonNode> which) {
        return object.path("status").path("conditions").valueStream().filter(which).map(condition -> Json.text(condition, "type"))
                .collect(Collectors.toSet());
    }

    private static String jobDuration(JsonNode job, Instant now) {
        String end = Json.text(job, "status", "completionTime");
        String start = Json.text(job, "status", "startTime");
        return start.isEmpty() ? "" : Ages.since(start, end.isEmpty() ? now : Instant.parse(end));
    }

    private static String requestStatus(JsonNode request) {
        Set<String> types = conditions(request, condition -> true);
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
