package io.reactiveinformer.test.simulation;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** Owner references from created objects to their owners. */
final class Owners {

    private Owners() {}

    static void add(ObjectNode metadata, JsonNode owner) {
        metadata.putArray("ownerReferences")
                .addObject()
                .put("apiVersion", owner.path("apiVersion").asString(""))
                .put("kind", owner.path("kind").asString(""))
                .put("name", Types.key(owner).name())
                .put("uid", Types.uid(owner))
                .put("controller", true)
                .put("blockOwnerDeletion", true);
    }
}
