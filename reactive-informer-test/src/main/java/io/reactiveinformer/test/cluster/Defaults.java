package io.reactiveinformer.test.cluster;

import tools.jackson.databind.node.ObjectNode;

/** What the server fills in where the client said nothing, as far as other programs look at it. */
final class Defaults {

    private Defaults() {}

    /** @param keepStatus whether the writer's word on the status counts */
    static void onCreate(ResourceDefinition type, ObjectNode tree, boolean keepStatus) {
        if (type.hasSubresource("status") && !keepStatus) {
            tree.remove("status");
        }
        switch (type.qualified()) {
            case "pods" -> PodDefaults.apply(tree);
            case "namespaces" -> {
                String name = Json.text(tree, "metadata", "name");
                Json.child(Json.child(tree, "metadata"), "labels").put("kubernetes.io/metadata.name", name);
                Json.child(tree, "spec").putArray("finalizers").add("kubernetes");
                absent(Json.child(tree, "status"), "phase", "Active");
            }
            default -> {
                if (type.hasSubresource("status") && !type.isCustom()) {
                    Json.child(tree, "status");
                }
            }
        }
    }

    static void absent(ObjectNode object, String field, String value) {
        if (!object.has(field)) {
            object.put(field, value);
        }
    }
}
