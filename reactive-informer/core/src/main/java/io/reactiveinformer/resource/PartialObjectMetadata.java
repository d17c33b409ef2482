package io.reactiveinformer.resource;

import io.kubernetes.client.common.KubernetesObject;
import io.kubernetes.client.openapi.models.V1ObjectMeta;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * An object of which only the metadata is known. If that is all that was requested, {@code kind} and {@code apiVersion} are those of this
 * form, not those of the object.
 *
 * @param apiVersion such as {@code apps/v1}; null if the object has none, as in a list
 * @param kind null if the object has none, as in a list
 */
public record PartialObjectMetadata(@Nullable String apiVersion, @Nullable String kind, V1ObjectMeta metadata) {

    /**
     * Reads the metadata of an object: a model class or another {@link KubernetesObject}, a JSON tree, a {@code PartialObjectMetadata}, or
     * a record or class of the user with a method {@code metadata()} or {@code getMetadata()} that returns a {@link V1ObjectMeta} or a JSON
     * tree. {@code apiVersion} and {@code kind} are read in the same way. Of a tree, {@code managedFields} are not read.
     *
     * @return its metadata is empty if the object has none
     * @throws IllegalArgumentException if objects of this class have no such method, or it throws
     */
    public static PartialObjectMetadata of(Object object) {
        if (object instanceof PartialObjectMetadata partial) {
            return partial;
        }
        if (object instanceof KubernetesObject model) {
            return new PartialObjectMetadata(model.getApiVersion(), model.getKind(), orEmpty(model.getMetadata()));
        }
        if (object instanceof JsonNode tree) {
            return new PartialObjectMetadata(
                    tree.path("apiVersion").asString(null), tree.path("kind").asString(null), TreeMetadata.of(tree.path("metadata")));
        }
        return OwnClass.of(object.getClass()).read(object);
    }

    static V1ObjectMeta orEmpty(@Nullable V1ObjectMeta metadata) {
        return metadata == null ? new V1ObjectMeta() : metadata;
    }
}
