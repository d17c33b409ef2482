package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ResourceType;
import tools.jackson.databind.node.ObjectNode;

/** Converts objects of model classes, and of classes and records of users, to trees. */
public final class ModelObjects {

    private static final ObjectCodec CODEC = ObjectCodec.create();

    private ModelObjects() {}

    /** The object as a tree. Its kind and apiVersion are those of its class if the object itself has none. */
    public static ObjectNode tree(Object model) {
        ObjectNode tree = (ObjectNode) Json.read(CODEC.write(model));
        if (Json.text(tree, "kind").isEmpty() || Json.text(tree, "apiVersion").isEmpty()) {
            ResourceType<?> type = typeOf(model.getClass());
            tree.put("kind", type.kind()).put("apiVersion", type.apiVersion());
        }
        return tree;
    }

    private static ResourceType<?> typeOf(Class<?> modelClass) {
        try {
            return ResourceType.of(modelClass);
        } catch (IllegalArgumentException ofTheUser) {
            throw new IllegalArgumentException(
                    "a " + modelClass.getSimpleName() + " without apiVersion and kind cannot be written: set both", ofTheUser);
        }
    }
}
