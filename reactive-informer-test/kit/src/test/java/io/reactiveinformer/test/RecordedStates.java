package io.reactiveinformer.test;

import io.reactiveinformer.apiserver.ApiRequest;
import io.reactiveinformer.apiserver.ApiRequest.Verb;
import io.reactiveinformer.recordings.Recording;
import io.reactiveinformer.transport.HttpRequest;
import io.reactiveinformer.transport.HttpRequest.Headers;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/** What recordings show of the objects of the recorded cluster: which states there were, and at which versions. */
final class RecordedStates {

    record Id(String group, String plural, String namespace, String name) {}

    private static final ObjectNode GONE = JsonNodeFactory.instance.objectNode();

    private final Map<String, Id> ids = new TreeMap<>();
    private final Map<String, TreeMap<Long, ObjectNode>> states = new TreeMap<>();

    static ApiRequest request(Recording.Exchange exchange) {
        String text = new String(exchange.request(), StandardCharsets.UTF_8);
        int end = text.indexOf("\r\n\r\n");
        List<String> lines = text.substring(0, end).lines().toList();
        Headers headers = Headers.empty();
        for (String line : lines.subList(1, lines.size())) {
            int colon = line.indexOf(':');
            headers = headers.with(line.substring(0, colon), line.substring(colon + 1).strip());
        }
        String body = text.substring(end + 4);
        String[] start = lines.get(0).split(" ", -1);
        return ApiRequest.of(new HttpRequest(
                start[0], start[1], headers, body.isBlank() ? null : body.strip().getBytes(StandardCharsets.UTF_8)));
    }

    /** The body as JSON. */
    static String text(Recording.Exchange exchange) {
        return exchange.response().length == 0 ? "" : BodyText.of(exchange.header("Content-Type"), exchange.body());
    }

    static List<JsonNode> documents(String body) {
        List<JsonNode> documents = new ArrayList<>();
        for (String line : body.split("\n", -1)) {
            if (line.startsWith("{")) {
                try {
                    documents.add(JsonMapper.shared().readTree(line));
                } catch (JacksonException cutInTheMiddle) {
                    return documents;
                }
            }
        }
        return documents;
    }

    void read(Recording.Exchange exchange) {
        ApiRequest request = request(exchange);
        if (!request.isResource() || exchange.response().length == 0 || request.verb() == Verb.DELETECOLLECTION
                || exchange.status() >= 300) {
            return;
        }
        for (JsonNode document : documents(text(exchange))) {
            if (document.has("type") && document.path("object").has("metadata")) {
                event(request, document);
            } else if (document.has("items")) {
                document.path("items").forEach(item -> put(request, item, false));
            } else if (document.has("rows")) {
                document.path("rows").forEach(row -> row(request, row));
            } else if (document.path("metadata").has("resourceVersion") && !document.has("rows")) {
                put(request, document, false);
            }
        }
    }

    /** A row of a table of pods tells their phase. */
    private void row(ApiRequest request, JsonNode row) {
        if (row.path("object").has("metadata") && request.plural().equals("pods")) {
            ObjectNode pod = JsonNodeFactory.instance.objectNode();
            pod.set("metadata", row.path("object").path("metadata"));
            pod.putObject("spec").putArray("containers").addObject().put("name", "c");
            pod.putObject("status").set("phase", row.path("cells").path(2));
            put(request, pod, false);
        }
    }

    private void event(ApiRequest request, JsonNode event) {
        String type = event.path("type").asString("");
        JsonNode object = event.path("object");
        if (type.equals("BOOKMARK") || type.equals("ERROR")) {
            return;
        }
        if (!type.equals("ADDED") && !isKnown(request, object)) {
            ObjectNode before = (ObjectNode) object.deepCopy();
            ((ObjectNode) before.path("metadata")).put("resourceVersion", "1")
                    .remove(List.of("deletionTimestamp", "deletionGracePeriodSeconds"));
            put(request, before, false);
        }
        boolean left = type.equals("DELETED") && selective(request) && !object.path("metadata").has("deletionTimestamp")
                && !request.query().text("fieldSelector").contains("metadata.name");
        put(request, left ? unselected(object, request.query().has("labelSelector")) : object, type.equals("DELETED") && !left);
    }

    private static boolean selective(ApiRequest request) {
        return request.query().has("labelSelector") || request.query().has("fieldSelector");
    }

    /** An object as it may be once it has left the selectors that were recorded. */
    private static ObjectNode unselected(JsonNode object, boolean byLabels) {
        ObjectNode other = (ObjectNode) object.deepCopy();
        if (byLabels) {
            other.path("metadata").withObject("/labels").put("tier", "be");
        } else {
            ((ObjectNode) other.path("status")).put("phase", "Running");
        }
        return other;
    }

    private boolean isKnown(ApiRequest request, JsonNode object) {
        JsonNode metadata = object.path("metadata");
        var id = new Id(request.group(), request.plural(), metadata.path("namespace").asString(""), metadata.path("name").asString(""));
        return states.containsKey(id.toString())
                && states.get(id.toString()).lowerEntry(metadata.path("resourceVersion").asLong(0)) != null;
    }

    /** It is not there any more from this version on, though no event said so. */
    void gone(ApiRequest request, long version) {
        var id = new Id(
                request.group(), request.plural(), request.namespace() == null ? "" : request.namespace(), String.valueOf(request.name()));
        if (states.containsKey(id.toString())) {
            states.get(id.toString()).put(version, GONE);
        }
    }

    /** Whether a write left the object as it was: its version is that of an earlier state. */
    static boolean isNoChange(String title) {
        return title.contains("without a change") || title.contains("finalizer is removed") || title.contains("again: 200");
    }

    long latest() {
        return states.values().stream().mapToLong(TreeMap::lastKey).max().orElse(0);
    }

    private void put(ApiRequest request, JsonNode tree, boolean gone) {
        JsonNode metadata = tree.path("metadata");
        if (!metadata.has("name") || !request.subresource().isEmpty() && !request.subresource().equals("status")) {
            return;
        }
        var id = new Id(request.group(), request.plural(), metadata.path("namespace").asString(""), metadata.path("name").asString());
        ids.put(id.toString(), id);
        TreeMap<Long, ObjectNode> known = states.computeIfAbsent(id.toString(), key -> new TreeMap<>());
        long version = Long.parseLong(metadata.path("resourceVersion").asString("0"));
        ObjectNode state = (ObjectNode) tree.deepCopy();
        if (state.path("kind").asString("").equals("PartialObjectMetadata")) {
            if (known.containsKey(version)) {
                return;
            }
            state.remove(List.of("kind", "apiVersion"));
        }
        if (gone) {
            known.put(version, GONE);
        } else if (!known.containsKey(version)) {
            known.put(version, state);
        }
    }

    Iterable<Id> ids() {
        return ids.values();
    }

    /** Empty if it was not there, or nothing is known of it. */
    Optional<ObjectNode> at(Id id, long version) {
        Map.Entry<Long, ObjectNode> state = states.get(id.toString()).floorEntry(version);
        return state == null || state.getValue().isEmpty() ? Optional.empty() : Optional.of(state.getValue());
    }

    boolean knows(Id id, long version) {
        return states.containsKey(id.toString()) && at(id, version).isPresent();
    }

    /** The states of all objects after one version, up to another, in order. */
    List<Change> between(long after, long through) {
        TreeMap<Long, Change> changes = new TreeMap<>();
        states.forEach((key, known) -> known.subMap(after, false, through, true)
                .forEach((version, state) ->
                        changes.put(version, new Change(ids.get(key), version, state.isEmpty() ? Optional.empty() : Optional.of(state)))));
        return List.copyOf(changes.values());
    }

    record Change(Id id, long version, Optional<ObjectNode> state) {}
}
