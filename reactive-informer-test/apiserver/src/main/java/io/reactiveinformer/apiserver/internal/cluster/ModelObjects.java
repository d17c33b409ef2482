package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.codec.ObjectCodec;
import io.reactiveinformer.resource.ResourceType;
import tools.jackson.databind.node.ObjectNode;

/** Objects of model classes as trees. */
public final class ModelObjects {

    private static final ObjectCodec CODEC = ObjectCodec.create();

    private ModelObjects() {}

    /** With the kind and version of its class, where the object itself does not say them. */
    public static ObjectNode tree(Object model) {
        ObjectNode tree = (ObjectNode) Json.read(CODEC.write(model));
        if (Json.text(tree, "kind").isEmpty() || Json.text(tree, "apiVersion").isEmpty()) {
            ResourceType<?> type = ResourceType.of(model.getClass());
            tree.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        }
        return tree;
    }
}
