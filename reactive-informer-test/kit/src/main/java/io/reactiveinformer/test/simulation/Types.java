package io.reactiveinformer.test.simulation;

import io.reactiveinformer.apiserver.ClusterObjects;
import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import java.util.function.UnaryOperator;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** The types that simulated controllers use, and accessors of their objects. */
final class Types {

    static final ResourceType<JsonNode> PODS = ResourceType.dynamic("", "v1", "pods");
    static final ResourceType<JsonNode> NODES = ResourceType.dynamic("", "v1", "nodes");
    static final ResourceType<JsonNode> DEPLOYMENTS = ResourceType.dynamic("apps", "v1", "deployments");
    static final ResourceType<JsonNode> REPLICA_SETS = ResourceType.dynamic("apps", "v1", "replicasets");

    private Types() {}

    static ObjectKey key(JsonNode object) {
        JsonNode metadata = object.path("metadata");
        return ObjectKey.of(metadata.path("namespace").asString(null), metadata.path("name").asString());
    }

    static String uid(JsonNode object) {
        return object.path("metadata").path("uid").asString("");
    }

    static boolean isOwnedBy(JsonNode owner, JsonNode object) {
        return object.path("metadata").path("ownerReferences").path(0).path("uid").asString("").equals(uid(owner));
    }

    /** Makes {@code owner} the controller of the object with this metadata. */
    static void addOwner(ObjectNode metadata, JsonNode owner) {
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", owner.path("apiVersion").asString(""))
                .put("kind", owner.path("kind").asString(""))
                .put("name", key(owner).name())
                .put("uid", uid(owner))
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }

    static boolean isLeaving(JsonNode object) {
        return object.path("metadata").has("deletionTimestamp");
    }

    /** Changes the object of this uid; one that was recreated with its name stays as it is. */
    static void edit(ClusterObjects cluster, ResourceType<JsonNode> type, ObjectNode object, UnaryOperator<ObjectNode> change) {
        cluster.edit(type, key(object), there -> uid(there).equals(uid(object)) ? change.apply(there) : there);
    }

    static int replicas(JsonNode workload) {
        return workload.path("spec").path("replicas").asInt(1);
    }
}
