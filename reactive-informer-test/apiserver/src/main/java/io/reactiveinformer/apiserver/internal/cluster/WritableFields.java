package io.reactiveinformer.apiserver.internal.cluster;

import java.util.List;
import java.util.Set;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Restores the parts of an object that a write through one of its paths may not change. */
final class WritableFields {

    /** In place of a subresource: a trusted write, which may change everything. */
    static final String EVERYTHING = "*";

    private static final List<String> SERVERS_OWN = List.of(
            "name", "namespace", "uid", "resourceVersion", "generation",
            "creationTimestamp", "deletionTimestamp",
            "deletionGracePeriodSeconds");
    /** Types that have a generation but never another one, and types that have one only after a change. */
    private static final Set<String> UNUSUAL_GENERATIONS = Set.of("priorityclasses", "csidrivers");
    private static final Set<String> NOT_SPECIFICATION = Set.of("kind", "apiVersion", "metadata", "status");

    private WritableFields() {}

    static void onlyWhatMayChange(ResourceDefinition type, ObjectNode old, ObjectNode tree, String subresource) {
        ObjectNode metadata = Json.child(tree, "metadata");
        for (String field : SERVERS_OWN) {
            copy(field, old.path("metadata"), metadata);
        }
        tree.set("kind", old.path("kind"));
        tree.set("apiVersion", old.path("apiVersion"));
        if (subresource.equals("status") || subresource.equals("approval")) {
            tree.retain(NOT_SPECIFICATION);
            old.properties().forEach(field -> {
                if (!NOT_SPECIFICATION.contains(field.getKey())) {
                    tree.set(field.getKey(), field.getValue());
                }
            });
            if (type.isCustom()) {
                JsonNode managed = metadata.get("managedFields");
                tree.set("metadata", old.path("metadata").deepCopy());
                if (managed != null) {
                    Json.child(tree, "metadata").set("managedFields", managed);
                }
            }
            return;
        }
        if (type.hasSubresource("status") && !subresource.equals(EVERYTHING)) {
            copy("status", old, tree);
        }
        if (type.qualified().equals(CustomTypes.DEFINITIONS)) {
            Defaults.established(tree);
        }
        if (type.qualified().equals("namespaces") && !subresource.equals("finalize") && !subresource.equals(EVERYTHING)) {
            copy("finalizers", old.path("spec"), Json.child(tree, "spec"));
        }
        if (type.qualified().equals("services") && tree.path("spec") instanceof ObjectNode spec && Json.text(spec, "clusterIP").isEmpty()
                && !Json.text(spec, "type").equals("ExternalName")) {
            (spec.path("clusterIPs").isEmpty() ? List.of("clusterIP", "clusterIPs") : List.of("clusterIP"))
                    .forEach(field -> copy(field, old.path("spec"), spec));
        }
        if (type.qualified().equals("daemonsets.apps")) {
            String revision = Json.text(old, "metadata", "annotations", Defaults.REVISION);
            boolean changed = !old.path("spec").path("template").equals(tree.path("spec").path("template"));
            Json.child(metadata, "annotations").put(Defaults.REVISION, revision.matches("\\d{1,9}")
                    ? Integer.toString(Integer.parseInt(revision) + (changed ? 1 : 0)) : "1");
        }
        if (type.hasGeneration() != UNUSUAL_GENERATIONS.contains(type.plural()) && specificationDiffers(type, old, tree)) {
            metadata.put("generation", old.path("metadata").path("generation").asLong(0) + 1);
        }
    }

    /** Drops, from an apply to an object or to its status, the fields that belong to the other one; the manager does not own those. */
    static void onlyWhatIsApplied(ResourceDefinition type, ObjectNode wanted, String subresource) {
        if (subresource.equals("status")) {
            wanted.retain(List.of("kind", "apiVersion", "metadata", "status"));
            Json.child(wanted, "metadata").retain(List.of("name", "namespace", "uid", "resourceVersion"));
        } else if (type.hasSubresource("status")) {
            wanted.remove("status");
        }
    }

    private static boolean specificationDiffers(ResourceDefinition type, ObjectNode old, ObjectNode tree) {
        return !specification(type, ObjectForm.order(type, old)).equals(specification(type, ObjectForm.order(type, tree)));
    }

    /** Everything but metadata; the status only if it is an ordinary part of the object. */
    private static ObjectNode specification(ResourceDefinition type, ObjectNode specification) {
        JsonNode status = specification.get("status");
        specification.remove(NOT_SPECIFICATION);
        return status != null && type.isCustom() && !type.hasSubresource("status") ? specification.set("status", status) : specification;
    }

    private static void copy(String field, JsonNode from, ObjectNode to) {
        JsonNode value = from.get(field);
        if (value == null) {
            to.remove(field);
        } else {
            to.set(field, value);
        }
    }
}
