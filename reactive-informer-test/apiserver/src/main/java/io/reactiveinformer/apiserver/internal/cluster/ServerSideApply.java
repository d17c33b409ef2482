package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.patch.ApplyPatch;
import io.reactiveinformer.apiserver.internal.patch.Comparison;
import io.reactiveinformer.apiserver.internal.patch.FieldSet;
import io.reactiveinformer.apiserver.internal.patch.Fields;
import io.reactiveinformer.apiserver.internal.patch.PatchException;
import io.reactiveinformer.apiserver.internal.schema.Topology;
import io.reactiveinformer.apiserver.internal.validation.Problem;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code application/apply-patch+yaml}: a manager sends all fields that it wants, and fails if another manager owns one with another value.
 */
final class ServerSideApply {

    private ServerSideApply() {}

    /** The object after the apply, with its managed fields. */
    static ObjectNode apply(ResourceDefinition type, ObjectNode live, ObjectNode wanted, ManagedFields.Writer writer, boolean force) {
        Topology topology = ManagedFields.topology(type, live);
        FieldSet last = FieldSet.NONE;
        FieldSet claimed = Fields.of(wanted, topology);
        List<JsonNode> others = new ArrayList<>();
        for (JsonNode entry : live.path("metadata").path("managedFields")) {
            FieldSet fields = FieldSet.read(entry.path("fieldsV1"));
            if (writer.isSame(entry)) {
                last = fields;
            } else {
                claimed = claimed.with(fields);
                others.add(entry);
            }
        }
        ObjectNode result = ObjectForm.order(type, ApplyPatch.pruned(merged(type, live, wanted, topology), last, claimed, topology));
        Comparison changes = Comparison.of(ManagedFields.owned(live, true), ManagedFields.owned(result, true), topology);
        List<ObjectNode> entries = new ArrayList<>();
        FieldSet own = Fields.of(ManagedFields.owned(wanted, true), topology);
        if (!own.isEmpty()) {
            entries.add(writer.entry(own));
        }
        List<Problem> conflicts = new ArrayList<>();
        String before = Json.text(live, "metadata", "annotations", "kubectl.kubernetes.io/last-applied-configuration");
        FieldSet kubectls = before.isEmpty() || !writer.manager().equals("kubectl") ? FieldSet.NONE : Fields.of(Json.read(before), topology);
        for (JsonNode entry : others) {
            FieldSet fields = FieldSet.read(entry.path("fieldsV1"));
            fields.and(changes.set()).without(kubectls).texts().forEach(field -> conflicts.add(
                    new Problem("FieldManagerConflict", "conflict with " + shown(entry), field)));
            ManagedFields.keep(entry, fields, fields.without(changes.set()).without(changes.removed()), entries);
        }
        if (!conflicts.isEmpty() && !force) {
            throw refused(conflicts);
        }
        ManagedFields.store(result, entries);
        return result;
    }

    /** The object that an apply creates. */
    static ObjectNode created(ResourceDefinition type, ObjectNode wanted) {
        return merged(type, Json.object(), wanted, ManagedFields.topology(type, wanted));
    }

    private static ObjectNode merged(ResourceDefinition type, ObjectNode live, ObjectNode wanted, Topology topology) {
        try {
            return ApplyPatch.apply(live, wanted, topology);
        } catch (PatchException failure) {
            String apiVersion = Json.text(wanted, "apiVersion");
            String version = apiVersion.substring(apiVersion.indexOf('/') + 1);
            JsonNode metadata = wanted.path("metadata");
            throw ApiFailure.untyped(type, version, Json.text(metadata, "namespace"), Json.text(metadata, "name"),
                    String.valueOf(failure.getMessage()));
        }
    }

    private static String shown(JsonNode entry) {
        String subresource = Json.text(entry, "subresource");
        return "\"" + Json.text(entry, "manager") + "\""
                + (subresource.isEmpty() ? "" : " with subresource \"" + subresource + "\"")
                + (Json.text(entry, "operation").equals("Update") ? " using " + Json.text(entry, "apiVersion") : "");
    }

    private static ApiFailure refused(List<Problem> conflicts) {
        ObjectNode details = ApiFailure.details("", "", "", conflicts.toArray(new Problem[0]));
        if (conflicts.size() == 1) {
            Problem only = conflicts.get(0);
            return ApiFailure.of(409, "Conflict", "Apply failed with 1 conflict: " + only.message() + ": " + only.field(), details);
        }
        Map<String, String> byManager = new TreeMap<>();
        conflicts.forEach(conflict -> byManager.merge(conflict.message().replaceFirst("conflict", "conflicts") + ":",
                "\n- " + conflict.field(), String::concat));
        String all = byManager.entrySet().stream().map(each -> each.getKey() + each.getValue()).collect(Collectors.joining("\n"));
        return ApiFailure.of(409, "Conflict", "Apply failed with " + conflicts.size() + " conflicts: " + all, details);
    }
}
