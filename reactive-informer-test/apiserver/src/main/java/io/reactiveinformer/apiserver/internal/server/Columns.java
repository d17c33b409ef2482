package io.reactiveinformer.apiserver.internal.server;

import io.reactiveinformer.apiserver.internal.cluster.CustomType;
import io.reactiveinformer.apiserver.internal.cluster.EventForms;
import io.reactiveinformer.apiserver.internal.cluster.Json;
import io.reactiveinformer.apiserver.internal.cluster.ResourceDefinition;
import io.reactiveinformer.apiserver.internal.schema.Resources;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.IntNode;
import tools.jackson.databind.node.NullNode;
import tools.jackson.databind.node.ObjectNode;
import tools.jackson.databind.node.StringNode;

/**
 * The columns of each type. Those of the built-in types are in {@code columns.json}: the definition, and the cell as a word for what is
 * shown, with the paths of the fields it is made of. Types that are not there have a name and a creation time, as the real server does
 * for many.
 */
final class Columns {

    private static final String NONE = "<none>";

    /** What fills a cell: a text or a number, from the words after its name in the table. */
    private interface Cell {
        Object of(JsonNode tree, List<String> words, Instant now);
    }

    private static final Map<String, Cell> CELLS = Map.ofEntries(
            Map.entry("text", (tree, words, now) -> orElse(text(tree, words.get(0)), words.size() > 1 ? words.get(1) : "")),
            Map.entry("stripped", (tree, words, now) -> text(tree, words.get(0)).strip()),
            Map.entry("fixed", (tree, words, now) -> words.get(0)),
            Map.entry("number", (tree, words, now) -> number(tree, words.get(0))),
            Map.entry("size", (tree, words, now) -> words.stream().mapToInt(path -> SimplePath.find(tree, path).size()).sum()),
            Map.entry("ratio", (tree, words, now) -> number(tree, words.get(0)) + "/"
                    + Math.max(words.size() > 2 ? Integer.parseInt(words.get(2)) : 0, number(tree, words.get(1)))),
            Map.entry("labels", (tree, words, now) -> orElse(SimplePath.find(tree, words.get(0)).properties().stream()
                    .map(label -> label.getKey() + "=" + label.getValue().asString()).collect(Collectors.joining(",")), NONE)),
            Map.entry("each", (tree, words, now) -> SimplePath.find(tree, words.get(0)).valueStream()
                    .map(item -> Json.text(item, words.get(1))).collect(Collectors.joining(","))),
            Map.entry("age", (tree, words, now) -> Ages.since(first(tree, words), now)),
            Map.entry("podReady", (pod, words, now) -> containers(pod).filter(container -> container.path("ready").asBoolean(false)).count()
                    + "/" + pod.path("spec").path("containers").size()),
            Map.entry("podStatus", (pod, words, now) -> podStatus(pod)),
            Map.entry("podRestarts", (pod, words, now) -> Integer.toString(containers(pod)
                    .mapToInt(container -> container.path("restartCount").asInt(0)).sum())),
            Map.entry("nodeStatus", (node, words, now) -> nodeStatus(node)),
            Map.entry("ports", (service, words, now) -> orElse(service.path("spec").path("ports").valueStream()
                    .map(port -> number(port, "port") + "/" + orElse(Json.text(port, "protocol"), "TCP"))
                    .collect(Collectors.joining(",")), NONE)),
            Map.entry("jobStatus", (job, words, now) -> jobStatus(job)),
            Map.entry("jobDuration", (job, words, now) -> {
                String end = text(job, "status.completionTime");
                String start = text(job, "status.startTime");
                return start.isEmpty() ? "" : Ages.since(start, end.isEmpty() ? now : Instant.parse(end));
            }),
            Map.entry("lastSeen", (event, words, now) -> Ages.since(event.has("series") ? text(event, "series.lastObservedTime")
                    : first(event, List.of("lastTimestamp", "firstTimestamp", "eventTime")), now)),
            Map.entry("occurrences", (event, words, now) -> event.has("series") ? number(event, "series.count")
                    : Math.max(1, number(event, "count"))),
            Map.entry("object", (event, words, now) ->
                    joined("/", text(event, "involvedObject.kind").toLowerCase(Locale.ROOT), text(event, "involvedObject.name"))),
            Map.entry("source", (event, words, now) -> joined(", ", first(event, List.of("source.component", "reportingComponent")),
                    first(event, List.of("source.host", "reportingInstance")))));

    private static final JsonNode TABLE = Json.read(Resources.text(Columns.class, "columns.json"));

    private Columns() {}

    static List<Column> of(ResourceDefinition type, String version) {
        CustomType.Version custom = type.custom(version);
        JsonNode known = TABLE.path(TABLE.has(type.qualified()) ? type.qualified() : "");
        Stream<JsonNode> columns = custom == null ? known.valueStream()
                : Stream.concat(Stream.of(StringNode.valueOf("Name"), StringNode.valueOf("Age")).limit(custom.columns().isEmpty() ? 2 : 1),
                        custom.columns().valueStream());
        return columns.map(column -> column.has("jsonPath") ? custom(column)
                : builtIn(type, column.isString() ? TABLE.path("shared").path(column.asString()) : column)).toList();
    }

    private static Column builtIn(ResourceDefinition type, JsonNode column) {
        List<String> words = List.of(Json.text(column, "cell").split(" ", -1));
        Cell cell = Objects.requireNonNull(CELLS.get(words.get(0)), words.get(0));
        List<String> rest = words.subList(1, words.size());
        boolean event = type.kind().equals("Event");
        return new Column(column.deepCopy().asObject().without("cell"), (tree, now) -> {
            Object value = cell.of(event ? EventForms.core(tree) : tree, rest, now);
            return value instanceof Integer number ? IntNode.valueOf(number) : StringNode.valueOf(value.toString());
        });
    }

    private static Column custom(JsonNode column) {
        String path = Json.text(column, "jsonPath");
        String description = Json.text(column, "description");
        ObjectNode definition = Json.object().put("name", Json.text(column, "name")).put("type", Json.text(column, "type"))
                .put("format", Json.text(column, "format"))
                .put("description", orElse(description, "Custom resource definition column (in JSONPath format): " + path))
                .put("priority", column.path("priority").asInt(0));
        return new Column(definition, (tree, now) -> {
            JsonNode value = SimplePath.find(tree, path);
            return value.isMissingNode() ? NullNode.instance
                    : Json.text(column, "type").equals("date") ? StringNode.valueOf(Ages.since(value.asString(), now)) : value;
        });
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

    private static Stream<JsonNode> containers(JsonNode pod) {
        return pod.path("status").path("containerStatuses").valueStream();
    }

    private static String podStatus(JsonNode pod) {
        String status = first(pod, List.of("status.reason", "status.phase"));
        for (JsonNode container : containers(pod).toList()) {
            status = orElse(first(container, List.of("state.waiting.reason", "state.terminated.reason")), status);
        }
        return pod.path("metadata").has("deletionTimestamp") ? "Terminating" : status;
    }

    /** The status of a job. Conditions of its end win over those of an end that is about to come. */
    private static String jobStatus(JsonNode job) {
        Set<String> conditions = job.path("status").path("conditions").valueStream()
                .filter(condition -> Json.text(condition, "status").equals("True"))
                .map(condition -> Json.text(condition, "type")).collect(Collectors.toSet());
        if (job.path("metadata").has("deletionTimestamp")) {
            conditions.add("Terminating");
        }
        return Stream.of("Complete", "Failed", "Terminating", "Suspended", "FailureTarget", "SuccessCriteriaMet")
                .filter(conditions::contains).findFirst().orElse("Running");
    }

    private static String text(JsonNode tree, String path) {
        return Json.text(SimplePath.find(tree, path));
    }

    private static int number(JsonNode tree, String path) {
        return SimplePath.find(tree, path).asInt(0);
    }

    /** The first of the fields that is there. */
    private static String first(JsonNode tree, List<String> paths) {
        return paths.stream().map(path -> text(tree, path)).filter(text -> !text.isEmpty()).findFirst().orElse("");
    }

    private static String joined(String between, String... parts) {
        return Stream.of(parts).filter(part -> !part.isEmpty()).collect(Collectors.joining(between));
    }

    private static String orElse(String text, String otherwise) {
        return text.isEmpty() ? otherwise : text;
    }
}
