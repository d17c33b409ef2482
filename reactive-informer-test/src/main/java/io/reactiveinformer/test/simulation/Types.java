package io.reactiveinformer.test.simulation;

import io.reactiveinformer.resource.ObjectKey;
import io.reactiveinformer.resource.ResourceType;
import tools.jackson.databind.JsonNode;

/** The types that simulated controllers work on, and how they read objects of them. */
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

    static boolean isLeaving(JsonNode object) {
        return object.path("metadata").has("deletionTimestamp");
    }

    static int replicas(JsonNode workload) {
        return workload.path("spec").path("replicas").asInt(1);
    }
}
