package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.CustomType;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.NullNode;

import static io.reactiveinformer.apiserver.internal.server.Column.number;
import static io.reactiveinformer.apiserver.internal.server.Column.text;

/** The columns of each type. Types that are not named here have a name and a creation time, as the real server does for many. */
final class Columns {

    private static final String NONE = "<none>";
    private static final String DATA_TEXT =
            "Data contains the configuration data. Each key must consist of alphanumeric characters, '-', '_' or '.'."
            + " Values with non-UTF-8 byte sequences must use the BinaryData field. The keys stored in Data must not overlap with the "
            + "keys in the BinaryData field, this is enforced during validation process.";

    private Columns() {}

    static List<Column> of(ResourceDefinition type, String version) {
        CustomType.Version custom = type.custom(version);
        if (custom != null) {
            return custom(custom);
        }
        return switch (type.qualified()) {
            case "pods" -> PodColumns.COLUMNS;
            case "configmaps" -> List.of(
                    Column.named(),
                    new Column("Data", "string", "", DATA_TEXT, 0, (tree, now) ->
                            IntNode.valueOf(tree.path("data").size() + tree.path("binaryData").size())),
                    Column.age());
            case "secrets" -> List.of(
                    Column.named(), text("Type", tree -> Json.text(tree, "type")), number("Data", tree -> tree.path("data").size()),
                    Column.age());
            case "namespaces" -> List.of(Column.named(), text("Status", tree -> Json.text(tree, "status", "phase")), Column.age());
            case "nodes" -> List.of(
                    Column.named(),
                    text("Status", Columns::nodeStatus),
                    text("Roles", tree -> NONE),
                    Column.age(),
                    text("Version", tree -> Json.text(tree, "status", "nodeInfo", "kubeletVersion")));
            case "services" -> List.of(
                    Column.named(),
                    text("Type", tree -> orElse(Json.text(tree, "spec", "type"), "ClusterIP")),
                    text("Cluster-IP", tree -> orElse(Json.text(tree, "spec", "clusterIP"), NONE)),
                    text("External-IP", tree -> NONE),
                    text("Port(s)", Columns::ports),
                    Column.age(),
                    text("Selector", tree -> selector(tree.path("spec").path("selector"))).wide());
            case "deployments.apps" -> List.of(
                    Column.named(),
                    text("Ready", tree -> count(tree, "status", "readyReplicas") + "/" + count(tree, "spec", "replicas")),
                    number("Up-to-date", tree -> count(tree, "status", "updatedReplicas")),
                    number("Available", tree -> count(tree, "status", "availableReplicas")),
                    Column.age(),
                    text("Containers", tree -> containers(tree, "name")).wide(),
                    text("Images", tree -> containers(tree, "image")).wide(),
                    text("Selector", tree -> selector(tree.path("spec").path("selector").path("matchLabels"))).wide());
            case "replicasets.apps", "replicationcontrollers" -> List.of(
                    Column.named(),
                    number("Desired", tree -> count(tree, "spec", "replicas")),
                    number("Current", tree -> count(tree, "status", "replicas")),
                    number("Ready", tree -> count(tree, "status", "readyReplicas")),
                    Column.age());
            case "statefulsets.apps" -> List.of(
                    Column.named(),
                    text("Ready", tree -> count(tree, "status", "readyReplicas") + "/" + count(tree, "spec", "replicas")),
                    Column.age());
            case "daemonsets.apps" -> List.of(
                    Column.named(),
                    number("Desired", tree -> count(tree, "status", "desiredNumberScheduled")),
                    number("Current", tree -> count(tree, "status", "currentNumberScheduled")),
                    number("Ready", tree -> count(tree, "status", "numberReady")),
                    number("Up-to-date", tree -> count(tree, "status", "updatedNumberScheduled")),
                    number("Available", tree -> count(tree, "status", "numberAvailable")),
                    text("Node Selector", tree -> NONE),
                    Column.age());
            case "jobs.batch" -> List.of(
                    Column.named(),
                    text("Status", Columns::jobStatus),
                    text("Completions", tree -> count(tree, "status", "succeeded") + "/" + Math.max(1, count(tree, "spec", "completions"))),
                    new Column("Duration", "string", "", "Duration", 0, (tree, now) -> Column.string(jobDuration(tree, now))),
                    Column.age());
            case "serviceaccounts" -> List.of(Column.named(), number("Secrets", tree -> tree.path("secrets").size()), Column.age());
            case "leases.coordination.k8s.io" -> List.of(
                    Column.named(), text("Holder", tree -> Json.text(tree, "spec", "holderIdentity")), Column.age());
            case "persistentvolumeclaims" -> List.of(
                    Column.named(), text("Status", tree -> Json.text(tree, "status", "phase")), Column.age());
            case "events", "events.events.k8s.io" -> EventColumns.COLUMNS;
            default -> List.of(Column.named(), Column.createdAt());
        };
    }

    private static List<Column> custom(CustomType.Version version) {
        List<Column> columns = new ArrayList<>();
        columns.add(Column.named());
        if (version.columns().isEmpty()) {
            columns.add(Column.age());
        }
        for (CustomType.Column column : version.columns()) {
            columns.add(new Column(
                    column.name(),
                    column.type(),
                    column.format(),
                    column.description(),
                    column.priority(),
                    (tree, now) -> cell(column, SimplePath.find(tree, column.jsonPath()), now)));
        }
        return columns;
    }

    private static JsonNode cell(CustomType.Column column, JsonNode value, Instant now) {
        if (value.isMissingNode()) {
            return NullNode.instance;
        }
        return column.type().equals("date") ? Column.string(Ages.since(value.asString(), now)) : value;
    }

    private static String nodeStatus(JsonNode node) {
        String ready = "Unknown";
        for (JsonNode condition : node.path("status").path("conditions")) {
            if (Json.text(condition, "type").equals("Ready")) {
                ready = Json.text(condition, "status").equals("True") ? "Ready" : "NotReady";
            }
        }
        return node.path("spec").path("unschedulable").asBoolean(false) ? ready + ",SchedulingDisabled" : ready;
    }

    /** The status of a job. Conditions of its end win over those of an end that is about to come. */
    private static String jobStatus(JsonNode job) {
        Set<String> conditions = items(job.path("status").path("conditions"))
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

    private static String ports(JsonNode service) {
        String ports = items(service.path("spec").path("ports"))
                .map(port -> port.path("port").asInt(0) + "/" + orElse(Json.text(port, "protocol"), "TCP"))
                .collect(Collectors.joining(","));
        return orElse(ports, NONE);
    }

    private static String containers(JsonNode workload, String field) {
        return items(workload.path("spec").path("template").path("spec").path("containers"))
                .map(container -> Json.text(container, field))
                .collect(Collectors.joining(","));
    }

    private static String selector(JsonNode labels) {
        return orElse(
                labels.properties().stream().map(label -> label.getKey() + "=" + label.getValue().asString())
                        .collect(Collectors.joining(",")), NONE);
    }

    private static Stream<JsonNode> items(JsonNode array) {
        return StreamSupport.stream(array.spliterator(), false);
    }

    private static int count(JsonNode tree, String part, String field) {
        return tree.path(part).path(field).asInt(0);
    }

    private static String orElse(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }
}
