package io.reactiveinformer.test.cluster;

import io.reactiveinformer.test.patch.FieldSet;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Keeps {@code metadata.managedFields}: which manager set which field last. */
final class ManagedFields {

    private static final Set<String> NOBODYS = Set.of("apiVersion", "kind");
    private static final List<String> SERVERS_METADATA = List.of(
            "name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp", "deletionTimestamp", "deletionGracePeriodSeconds",
            "selfLink", "managedFields");

    private ManagedFields() {}

    /** @param subresource empty for the object itself */
    record Writer(String manager, String operation, String apiVersion, String subresource, String time) {

        boolean isSame(JsonNode entry) {
            return Json.text(entry, "manager").equals(manager)
                    && Json.text(entry, "operation").equals(operation)
                    && Json.text(entry, "apiVersion").equals(apiVersion)
                    && Json.text(entry, "subresource").equals(subresource);
        }

        ObjectNode entry(ObjectNode fields) {
            ObjectNode entry = Json.object()
                    .put("manager", manager)
                    .put("operation", operation)
                    .put("apiVersion", apiVersion)
                    .put("time", time)
                    .put("fieldsType", "FieldsV1");
            entry.set("fieldsV1", fields);
            return subresource.isEmpty() ? entry : entry.put("subresource", subresource);
        }
    }

    /** The parts of an object that have managers. */
    static ObjectNode owned(JsonNode tree, boolean withStatus) {
        ObjectNode owned = (ObjectNode) tree.deepCopy();
        owned.remove(NOBODYS);
        if (!withStatus) {
            owned.remove("status");
        }
        if (owned.get("metadata") instanceof ObjectNode metadata) {
            metadata.remove(SERVERS_METADATA);
            metadata.properties().removeIf(field -> field.getValue().isContainer() && field.getValue().isEmpty());
            if (metadata.isEmpty()) {
                owned.remove("metadata");
            }
        }
        return owned;
    }

    /** Notes in {@code now}, which is new, who made it; one that was applied has exactly the fields that were {@code sent}. */
    static void create(ResourceDefinition type, JsonNode sent, ObjectNode now, Writer writer) {
        boolean applied = writer.operation().equals("Apply");
        ObjectNode owned = owned(applied ? sent : now, !type.hasSubresource("status"));
        ObjectNode fields = applied ? FieldSet.applied(owned, !type.isCustom()) : FieldSet.of(owned, !type.isCustom());
        store(now, fields.isEmpty() ? List.of() : List.of(writer.entry(fields)));
    }

    /** Notes in {@code now} that {@code writer} made of {@code before} what it is. */
    static void update(ResourceDefinition type, JsonNode before, ObjectNode now, Writer writer) {
        boolean status = writer.subresource().equals("status") || !type.hasSubresource("status");
        ObjectNode owned = owned(now, true);
        ObjectNode changed = FieldSet.changed(owned(before, status), owned(now, status), !type.isCustom());
        List<ObjectNode> entries = new ArrayList<>();
        boolean found = false;
        for (JsonNode entry : before.path("metadata").path("managedFields")) {
            if (!group(Json.text(entry, "apiVersion")).equals(group(writer.apiVersion()))) {
                entries.add((ObjectNode) entry.deepCopy()); // of the other form of an event, whose fields have other names
                continue;
            }
            ObjectNode fields = FieldSet.present(entry.path("fieldsV1"), owned);
            boolean own = writer.isSame(entry);
            found |= own;
            ObjectNode next = own ? FieldSet.union(fields, changed) : FieldSet.minus(fields, changed);
            if (!next.isEmpty()) {
                ObjectNode kept = (ObjectNode) entry.deepCopy();
                kept.set("fieldsV1", next);
                if (own && !next.equals(entry.path("fieldsV1"))) {
                    kept.put("time", writer.time());
                }
                entries.add(kept);
            }
        }
        if (!found && !changed.isEmpty()) {
            entries.add(writer.entry(changed));
        }
        store(now, entries);
    }

    private static String group(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    static void store(ObjectNode tree, List<ObjectNode> entries) {
        ArrayNode list = Json.child(tree, "metadata").putArray("managedFields");
        list.addAll(entries);
    }
}
