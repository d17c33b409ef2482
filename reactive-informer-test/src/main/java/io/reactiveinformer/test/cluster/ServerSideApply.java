package io.reactiveinformer.test.cluster;

import io.reactiveinformer.test.patch.FieldSet;
import io.reactiveinformer.test.patch.MergePatch;
import io.reactiveinformer.test.patch.StrategicMergePatch;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code application/apply-patch+yaml}: a manager says all that it wants, and gets it unless another wants something else. */
final class ServerSideApply {

    private ServerSideApply() {}

    /** The object as it is after the apply, with the managers' fields. */
    static ObjectNode apply(ResourceDefinition type, ObjectNode live, ObjectNode wanted, ManagedFields.Writer writer, boolean force) {
        ObjectNode fields = FieldSet.applied(ManagedFields.owned(wanted, true), !type.isCustom());
        ObjectNode differing = FieldSet.changed(ManagedFields.owned(live, true), ManagedFields.owned(wanted, true), !type.isCustom());
        List<ObjectNode> entries = new ArrayList<>();
        List<JsonNode> conflicts = new ArrayList<>();
        ObjectNode former = Json.object();
        for (JsonNode entry : live.path("metadata").path("managedFields")) {
            if (writer.isSame(entry)) {
                former = (ObjectNode) entry.path("fieldsV1");
                continue;
            }
            ObjectNode contested = FieldSet.common(entry.path("fieldsV1"), differing);
            FieldSet.paths(contested).forEach(path -> conflicts.add(conflict(entry, path)));
            ObjectNode left = FieldSet.minus(entry.path("fieldsV1"), contested);
            if (!left.isEmpty()) {
                ObjectNode kept = (ObjectNode) entry.deepCopy();
                kept.set("fieldsV1", left);
                entries.add(kept);
            }
        }
        if (!conflicts.isEmpty() && !force) {
            throw refused(conflicts);
        }
        ObjectNode given = FieldSet.minus(former, fields);
        for (ObjectNode other : entries) {
            given = FieldSet.minus(given, other.path("fieldsV1"));
        }
        JsonNode without = FieldSet.without(live, given);
        ObjectNode result = (ObjectNode) (type.isCustom() ? MergePatch.apply(without, wanted) : StrategicMergePatch.apply(without, wanted));
        entries.add(0, writer.entry(fields));
        ManagedFields.store(result, entries);
        return isSame(live, result, writer) ? live : result;
    }

    /** Whether nothing was changed but when, and in which order, who said what. */
    private static boolean isSame(ObjectNode live, ObjectNode result, ManagedFields.Writer writer) {
        return said(live, writer).equals(said(result, writer)) && withoutManagers(live).equals(withoutManagers(result));
    }

    private static Set<JsonNode> said(ObjectNode tree, ManagedFields.Writer writer) {
        Set<JsonNode> said = new HashSet<>();
        for (JsonNode entry : tree.path("metadata").path("managedFields")) {
            ObjectNode timeless = (ObjectNode) entry.deepCopy();
            if (writer.isSame(entry)) {
                timeless.remove("time");
            }
            said.add(timeless);
        }
        return said;
    }

    private static ObjectNode withoutManagers(ObjectNode tree) {
        ObjectNode rest = tree.deepCopy();
        Json.child(rest, "metadata").remove("managedFields");
        return rest;
    }

    private static ObjectNode conflict(JsonNode entry, String path) {
        return Json.object()
                .put("reason", "FieldManagerConflict")
                .put("message", "conflict with \"" + Json.text(entry, "manager") + "\" using " + Json.text(entry, "apiVersion"))
                .put("field", path);
    }

    private static ApiFailure refused(List<JsonNode> conflicts) {
        ObjectNode details = Json.object();
        ArrayNode causes = details.putArray("causes");
        causes.addAll(conflicts);
        String first = conflicts.size() == 1
                ? "Apply failed with 1 conflict: " + Json.text(conflicts.get(0), "message") + ": " + Json.text(conflicts.get(0), "field")
                : "Apply failed with " + conflicts.size() + " conflicts: " + Json.text(conflicts.get(0), "message");
        return ApiFailure.of(409, "Conflict", first, details);
    }
}
