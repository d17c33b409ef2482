package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.patch.Comparison;
import io.reactiveinformer.apiserver.internal.patch.FieldSet;
import io.reactiveinformer.apiserver.internal.patch.Fields;
import io.reactiveinformer.apiserver.internal.schema.Topology;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Maintains {@code metadata.managedFields}, which records the manager that set each field last. */
final class ManagedFields {

    private static final Set<String> NOBODYS = Set.of("apiVersion", "kind");
    private static final List<String> SERVERS_METADATA = List.of(
            "name", "namespace", "uid", "resourceVersion", "generation", "creationTimestamp",
            "deletionTimestamp", "deletionGracePeriodSeconds",
            "selfLink", "managedFields");

    /** The entries are in the order of these fields. */
    private static final List<String> ORDER = List.of("operation", "time", "manager", "apiVersion", "subresource");

    private ManagedFields() {}

    /** @param subresource empty for the object itself */
    record Writer(String manager, boolean applies, String apiVersion, String subresource, String time) {

        /** Whether the entry is of this writer. For an apply the version does not matter. */
        private String operation() {
            return applies ? "Apply" : "Update";
        }

        boolean isSame(JsonNode entry) {
            return Json.text(entry, "manager").equals(manager)
                    && Json.text(entry, "operation").equals(operation())
                    && (applies || Json.text(entry, "apiVersion").equals(apiVersion))
                    && Json.text(entry, "subresource").equals(subresource);
        }

        ObjectNode entry(FieldSet fields) {
            ObjectNode entry = Json.object()
                    .put("manager", manager)
                    .put("operation", operation())
                    .put("apiVersion", apiVersion)
                    .put("time", time)
                    .put("fieldsType", "FieldsV1");
            entry.set("fieldsV1", fields.write());
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
            if (metadata.isEmpty()) {
                owned.remove("metadata");
            }
        }
        return owned;
    }

    /** The merge strategy of the type in the version of {@code tree}. */
    static Topology topology(ResourceDefinition type, JsonNode tree) {
        return type.isCustom() ? Topology.custom(CustomSchema.of(type, tree))
                : Topology.builtIn(Json.text(tree, "apiVersion"), type.kind());
    }

    /**
     * Records in {@code now}, which is new, the writer that created it. If it was applied, the writer owns exactly the fields that were
     * {@code sent}.
     */
    static void create(ResourceDefinition type, JsonNode sent, ObjectNode now, Writer writer) {
        boolean applied = writer.applies();
        ObjectNode owned = owned(applied ? sent : now, !type.hasSubresource("status"));
        Topology topology = topology(type, now);
        FieldSet fields = applied ? Fields.of(owned, topology) : Comparison.of(Json.object(), owned, topology).set();
        store(now, fields.isEmpty() ? List.of() : List.of(writer.entry(fields)));
    }

    /** Records in {@code now} that {@code writer} changed {@code before} to it. */
    static void update(ResourceDefinition type, JsonNode before, ObjectNode now, Writer writer) {
        boolean status = writer.subresource().equals("status") || !type.hasSubresource("status");
        Comparison changes = Comparison.of(owned(before, status), owned(now, status), topology(type, now));
        List<ObjectNode> entries = new ArrayList<>();
        boolean found = false;
        JsonNode sent = now.path("metadata").path("managedFields"); // a client may hand fields over to another manager
        for (JsonNode entry : sent.isEmpty() ? before.path("metadata").path("managedFields") : sent) {
            FieldSet fields = FieldSet.read(entry.path("fieldsV1"));
            if (!group(Json.text(entry, "apiVersion")).equals(group(writer.apiVersion()))) {
                keep(entry, fields, fields, entries); // the other form of an event: its fields have other names
                continue;
            }
            boolean own = writer.isSame(entry);
            found |= own;
            FieldSet left = fields.without(changes.removed());
            FieldSet next = own ? left.with(changes.set()) : left.without(changes.set());
            keep(entry, fields, next, entries);
            if (own && !changes.set().isEmpty()) {
                entries.get(entries.size() - 1).put("time", writer.time());
            }
        }
        if (!found && !changes.set().isEmpty()) {
            entries.add(writer.entry(changes.set()));
        }
        store(now, entries);
    }

    /** Adds an entry with the fields that are left; adds nothing if there are none. */
    static void keep(JsonNode entry, FieldSet fields, FieldSet left, List<ObjectNode> entries) {
        if (!left.isEmpty()) {
            ObjectNode kept = (ObjectNode) entry.deepCopy();
            entries.add(left.equals(fields) ? kept : kept.set("fieldsV1", left.write()));
        }
    }

    /** Whether two states differ in nothing but the times and the order of their managed fields. */
    static boolean isSame(ObjectNode before, ObjectNode now) {
        return takeTimeless(before).equals(takeTimeless(now)) && before.equals(now);
    }

    private static Set<JsonNode> takeTimeless(ObjectNode tree) {
        Set<JsonNode> entries = new HashSet<>();
        JsonNode taken = Json.child(tree, "metadata").remove("managedFields");
        if (taken != null) {
            taken.forEach(entry -> entries.add(((ObjectNode) entry.deepCopy()).without("time")));
        }
        return entries;
    }

    private static String group(String apiVersion) {
        int slash = apiVersion.indexOf('/');
        return slash < 0 ? "" : apiVersion.substring(0, slash);
    }

    static void store(ObjectNode tree, List<ObjectNode> entries) {
        ArrayNode list = Json.child(tree, "metadata").putArray("managedFields");
        entries.stream().sorted(Comparator.comparing(entry -> ORDER.stream().map(field -> Json.text(entry, field)).toList().toString()))
                .forEach(list::add);
    }
}
