package io.reactiveinformer.apiserver.internal.cluster;

import io.reactiveinformer.apiserver.internal.schema.GoDecoding;
import io.reactiveinformer.internal.codec.ObjectCodec;
import io.reactiveinformer.resource.ResourceType;
import org.jspecify.annotations.Nullable;
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

    /** What Go's decoder says of an object of a built-in type; empty if it can be read. */
    public static String problem(ObjectNode tree) {
        return GoDecoding.problem(Json.text(tree, "apiVersion"), Json.text(tree, "kind"), tree);
    }

    /** The refusal of an object of a built-in type that Go could not read; null if it could. */
    public static @Nullable ApiFailure unreadable(ObjectNode tree) {
        String kind = Json.text(tree, "kind");
        String apiVersion = Json.text(tree, "apiVersion");
        String problem = problem(tree);
        return problem.isEmpty() ? null : ApiFailure.badRequest(kind + " in version \"" + apiVersion.substring(apiVersion.indexOf('/') + 1)
                + "\" cannot be handled as a " + kind + ": " + problem);
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
